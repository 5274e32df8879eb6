// Package testkubernetes holds the manifests of sweeps to Kubernetes itself: its strict decoding, its defaults, the
// API server's validation, and its Job controller, with processes of this machine as pods. It is a module of its own,
// so that Goldwire does not depend on Kubernetes.
package testkubernetes
