import http from 'node:http';
import https from 'node:https';
import { type ChannelCredentials, experimental } from '@grpc/grpc-js';
import { CertificateProvider } from '../tls/certificate-provider.ts';
import { secureOptions } from '../tls/read-certificates.ts';
import { type WatchOptions, watchCertificates } from '../tls/watched-certificates.ts';

// The SDK creates exporters before meters, so the watch starts at the first connection.

export function renewingAgents(certificates: WatchOptions): (protocol: string) => http.Agent {
  return (protocol) => {
    if (protocol === 'http:') return new http.Agent({ keepAlive: true });
    const watched = watchCertificates(certificates);
    const agent = new https.Agent({ keepAlive: true, ...secureOptions(watched.current) });
    watched.onRenewal((renewed) => {
      Object.assign(agent.options, secureOptions(renewed));
      for (const idle of Object.values(agent.freeSockets).flat()) idle?.destroy();
    });
    return agent;
  };
}

export function renewingCredentials(certificates: WatchOptions): ChannelCredentials {
  const provider = new CertificateProvider({
    get current() {
      return watchCertificates(certificates).current;
    },
    onRenewal: (listener) => watchCertificates(certificates).onRenewal(listener),
  });
  const showsOwn = certificates.files.cert.path !== '';
  return experimental.createCertificateProviderChannelCredentials(provider, showsOwn ? provider : null);
}
