package testkubernetes

import (
	"testing"

	_ "k8s.io/client-go/informers"
	_ "k8s.io/client-go/kubernetes/fake"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/controller/job"
	_ "k8s.io/kubernetes/pkg/registry/batch/job"
	_ "sigs.k8s.io/yaml"
)

func TestX(t *testing.T) {}
