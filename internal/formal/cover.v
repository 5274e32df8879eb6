// A cover statement is asked about as an assertion is that holds, in the steps in which its condition is true.
module \$cover (A, EN);
  input A, EN;
  \$assert _TECHMAP_REPLACE_ (.A(1'b1), .EN(A && EN));
endmodule
