package org.opensearch.transport.grpc.spi;

/** The k-NN plugin names this type of the gRPC module, which is not on Maven Central. */
public interface QueryBuilderProtoConverter {}
