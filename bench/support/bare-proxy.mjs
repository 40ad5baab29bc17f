// The floor of a streamed reply: a proxy that passes the service's bytes on, as sparingly as it can be written.
import { Agent, createServer, request as send } from 'node:http';

export default function main() {
  process.once('message', ({ url }) => {
    const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
    const server = createServer((request, response) => {
      const onward = send(new URL(url).origin + request.url, { method: request.method, headers: request.headers, agent }, (from) => {
        response.writeHead(from.statusCode, from.headers);
        from.pipe(response);
      });
      onward.on('error', (error) => response.destroy(error));
      request.pipe(onward);
    });
    server.listen(0, '127.0.0.1', () => process.send({ url: `http://127.0.0.1:${server.address().port}/v1` }));
  });
}
