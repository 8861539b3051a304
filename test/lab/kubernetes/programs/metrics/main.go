// metrics-server: what pods take of processors and memory, for autoscaling.
package main

import (
	"os"

	"k8s.io/component-base/cli"
	"sigs.k8s.io/metrics-server/cmd/metrics-server/app"
	genericapiserver "k8s.io/apiserver/pkg/server"
)

func main() {
	os.Exit(cli.Run(app.NewMetricsServerCommand(genericapiserver.SetupSignalHandler())))
}
