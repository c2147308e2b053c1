package main

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
)

const (
	provisioner = "tiphys.dev/directory"
	claims      = "/api/v1/persistentvolumeclaims"
	volumes     = "/api/v1/persistentvolumes"
	classes     = "/apis/storage.k8s.io/v1/storageclasses/"
)

// provisioning makes a directory and a PersistentVolume for each claim of our StorageClasses, and removes both when the
// claim is gone and the volume's reclaim policy says Delete.
type provisioning struct {
	kube      *kube
	directory string
}

func provision(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("provision", flag.ExitOnError)
	directory := flags.String("directory", "", "where the volumes are, with the same path here and on the node")
	listen := flags.String("listen", ":8080", "address of /readyz")
	if err := flags.Parse(args); err != nil {
		return err
	}
	client, err := inCluster()
	if err != nil {
		return err
	}
	p := &provisioning{client, *directory}
	var ready atomic.Int32
	listed := func() { ready.Add(1) }
	go client.follow(ctx, claims, listed, report(func(e event) error { return p.claim(ctx, e) }))
	go client.follow(ctx, volumes, listed, report(func(e event) error { return p.volume(ctx, e) }))
	return listenAndServe(ctx, *listen, readiness(func() bool { return ready.Load() >= 2 }, "provisioner"))
}

// report prints what went wrong. The next change of the object, or the next list, tries again.
func report(seen func(event) error) func(event) {
	return func(e event) {
		if err := seen(e); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", text(e.Object, "metadata", "name"), err)
		}
	}
}

func (p *provisioning) claim(ctx context.Context, e event) error {
	annotation := func(name string) string { return text(e.Object, "metadata", "annotations", name) }
	pending := text(e.Object, "spec", "volumeName") == "" && value(e.Object, "metadata", "deletionTimestamp") == nil
	if e.Type == "DELETED" || !pending || annotation("volume.kubernetes.io/storage-provisioner") != provisioner {
		return nil
	}
	class, err := p.kube.get(ctx, classes+text(e.Object, "spec", "storageClassName"))
	if err != nil {
		return err
	}
	if text(class, "volumeBindingMode") == "WaitForFirstConsumer" && annotation("volume.kubernetes.io/selected-node") == "" {
		return nil
	}
	name := "pvc-" + text(e.Object, "metadata", "uid")
	path := filepath.Join(p.directory, name)
	if err := os.MkdirAll(path, 0o777); err != nil {
		return err
	}
	if err := os.Chmod(path, 0o777); err != nil { // Any user of any container writes there.
		return err
	}
	_, err = p.kube.create(ctx, volumes, volumeFor(e.Object, class, name, path))
	if hasStatus(err, http.StatusConflict) {
		return nil // Made before.
	}
	if err == nil {
		fmt.Printf("made %s\n", path)
	}
	return err
}

func volumeFor(claim, class object, name, path string) object {
	return object{
		"apiVersion": "v1",
		"kind":       "PersistentVolume",
		"metadata":   object{"name": name, "annotations": object{"pv.kubernetes.io/provisioned-by": provisioner}},
		"spec": object{
			"capacity":                      object{"storage": value(claim, "spec", "resources", "requests", "storage")},
			"accessModes":                   value(claim, "spec", "accessModes"),
			"storageClassName":              text(class, "metadata", "name"),
			"persistentVolumeReclaimPolicy": text(class, "reclaimPolicy"),
			"hostPath":                      object{"path": path, "type": "Directory"},
			"claimRef": object{
				"apiVersion": "v1",
				"kind":       "PersistentVolumeClaim",
				"namespace":  text(claim, "metadata", "namespace"),
				"name":       text(claim, "metadata", "name"),
				"uid":        text(claim, "metadata", "uid"),
			},
		},
	}
}

func (p *provisioning) volume(ctx context.Context, e event) error {
	ours := text(e.Object, "metadata", "annotations", "pv.kubernetes.io/provisioned-by") == provisioner
	released := text(e.Object, "status", "phase") == "Released"
	deletes := text(e.Object, "spec", "persistentVolumeReclaimPolicy") == "Delete"
	if e.Type == "DELETED" || !ours || !released || !deletes {
		return nil
	}
	name := text(e.Object, "metadata", "name")
	if err := os.RemoveAll(filepath.Join(p.directory, name)); err != nil {
		return err
	}
	err := p.kube.delete(ctx, volumes+"/"+name)
	if hasStatus(err, http.StatusNotFound) {
		return nil
	}
	if err == nil {
		fmt.Printf("removed %s\n", name)
	}
	return err
}
