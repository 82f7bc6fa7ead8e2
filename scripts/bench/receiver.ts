import { createServer } from 'node:http'

// A live receiver of webhooks, which takes everything at once. A GET is answered with the number of deliveries.
let received = 0
const server = createServer((req, res) => {
  if (req.method === 'GET') return void res.end(String(received))
  received++
  req.resume().on('end', () => res.end())
}).listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ ready: true, url: `http://127.0.0.1:${(server.address() as { port: number }).port}` })),
)
process.on('SIGTERM', () => process.exit(0))
