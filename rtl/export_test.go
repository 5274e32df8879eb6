package rtl

// InOne makes one call of several.
var InOne = inOne
