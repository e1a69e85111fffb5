/** Proxies as merchants set them up. Each is a file of settings for a real program. */
import type { Program } from './programs.ts'

/** Where a proxy runs: its folder, its port, and the port of the server behind it. */
export interface Place {
  readonly folder: string
  readonly port: number
  readonly behind: number
}

/** One way. */
export interface Setup {
  readonly program: Program
  /** Port of this way alone, below the ports that systems give away. */
  readonly port: number
  readonly protocol: 'http' | 'https'
  /** The settings, as a file. */
  settings(place: Place): string
  /** What the program is started with, given the path of that file. */
  parts(file: string, place: Place): readonly string[]
}

const nginx = (port: number, server: (place: Place) => string, protocol: Setup['protocol'] = 'http'): Setup => ({
  program: 'nginx',
  port,
  protocol,
  settings: (place) => `
    daemon off; worker_processes 1; pid ${place.folder}/pid; error_log ${place.folder}/errors;
    events { worker_connections 128; }
    http {
      access_log off; proxy_temp_path ${place.folder}/t; client_body_temp_path ${place.folder}/b;
      fastcgi_temp_path ${place.folder}/f; uwsgi_temp_path ${place.folder}/u; scgi_temp_path ${place.folder}/s;
      proxy_cache_path ${place.folder}/c keys_zone=all:1m;
      server { ${server(place)} }
    }`,
  parts: (file, { folder }) => ['-p', folder, '-e', `${folder}/errors`, '-c', file],
})

const proxied = ({ port, behind }: Place, more: string, host = '$http_host') =>
  `listen 127.0.0.1:${port}; location / { proxy_pass http://127.0.0.1:${behind}; proxy_set_header Host ${host}; ${more} }`

/** Keeps even answers that must not be kept. */
const keepsAll = `proxy_cache all; proxy_cache_valid any 1h; proxy_ignore_headers Cache-Control Expires Set-Cookie Vary;
  add_header X-Cache-Status $upstream_cache_status always;`

const keptByVarnish = `req.method == "GET" && req.url ~ "^/paywindow/"`

/** All of them, by what a payer's requests meet there. */
export const setups = {
  'nginx that compresses, and names its port': nginx(
    4321,
    (place) => `gzip on; gzip_types application/json; gzip_min_length 10; ${proxied(place, '', '$host:$server_port')}`,
  ),
  'nginx that keeps every answer': nginx(
    4322,
    (place) => `${proxied(place, '')}
      location /paywindow/ { proxy_pass http://127.0.0.1:${place.behind}; proxy_set_header Host $http_host; ${keepsAll} }`,
  ),
  'nginx that ends TLS, with HTTP/2': nginx(
    4323,
    ({ folder, port, behind }) => `
      listen 127.0.0.1:${port} ssl http2; ssl_certificate ${folder}/certificate; ssl_certificate_key ${folder}/key;
      location / { proxy_pass http://127.0.0.1:${behind}; proxy_set_header Host $http_host; proxy_set_header X-Forwarded-Proto https; }`,
    'https',
  ),
  'nginx that drops a header it does not know': nginx(4324, (place) =>
    proxied(place, 'proxy_set_header paywindow-key "";'),
  ),
  'nginx that sends its own name of the server': nginx(4325, (place) => proxied(place, '', '$proxy_host')),
  'Apache that compresses': {
    program: 'apache2',
    port: 4326,
    protocol: 'http',
    settings: ({ folder, port, behind }) => `
      ServerRoot ${folder}
      PidFile ${folder}/pid
      DefaultRuntimeDir ${folder}
      Mutex file:${folder}
      ErrorLog ${folder}/errors
      ServerName localhost
      Listen 127.0.0.1:${port}
      ${['mpm_event', 'authz_core', 'proxy', 'proxy_http', 'filter', 'deflate']
        .map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`)
        .join('\n')}
      ProxyPreserveHost On
      ProxyPass / http://127.0.0.1:${behind}/
      AddOutputFilterByType DEFLATE application/json text/html`,
    parts: (file) => ['-D', 'FOREGROUND', '-f', file],
  },
  'HAProxy that sends requests again': {
    program: 'haproxy',
    port: 4327,
    protocol: 'http',
    settings: ({ port, behind }) => `
defaults
  mode http
  timeout connect 2s
  timeout client 30s
  timeout server 30s
  retries 3
  retry-on all-retryable-errors
  option forwardfor
frontend payers
  bind 127.0.0.1:${port}
  http-response set-header X-Front haproxy
  default_backend shop
backend shop
  server one 127.0.0.1:${behind}
`,
    parts: (file) => ['-db', '-f', file],
  },
  'Varnish that keeps every answer': {
    program: 'varnishd',
    port: 4328,
    protocol: 'http',
    settings: ({ behind }) => `
      vcl 4.1;
      backend shop { .host = "127.0.0.1"; .port = "${behind}"; }
      sub vcl_recv { if (${keptByVarnish}) { unset req.http.Cookie; return (hash); } return (pass); }
      sub vcl_backend_response {
        if (bereq.url ~ "^/paywindow/") { unset beresp.http.Set-Cookie; set beresp.ttl = 1h; set beresp.do_gzip = true; return (deliver); }
      }`,
    parts: (file, { folder, port }) => [
      '-F',
      '-j',
      'none',
      '-n',
      `${folder}/v`,
      '-a',
      `127.0.0.1:${port}`,
      '-f',
      file,
      '-s',
      'malloc,16m',
    ],
  },
} as const satisfies Record<string, Setup>
