// An object store of one bucket in a folder, as S3 speaks. It believes every key.
package main

import (
	"log"
	"net/http"
	"os"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3afero"
	"github.com/spf13/afero"
)

func main() {
	folder, bucket := os.Args[1], os.Args[2]
	backend, err := s3afero.SingleBucket(bucket, afero.NewBasePathFs(afero.NewOsFs(), folder), nil)
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.ListenAndServe(":9000", gofakes3.New(backend).Server()))
}
