import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { sign } from '../../src/http/signature.ts'
import { close, listen } from '../servers.ts'

export const SECRET = 'whsec_of_the_handler'

interface Event {
  id: string
  event: string
  data: Record<string, unknown>
}

/** The differences of a handler from a correct one. */
export interface Habits {
  /** Its answer to a body with a valid signature; 200 by default. */
  answer?: (event: Event, body: string, seen: number) => number | 'never'
  isSigned?: (signature: string | undefined, body: string) => boolean
  read?: (request: IncomingMessage) => Promise<string>
  secrets?: readonly string[]
}

const whole = async (request: IncomingMessage) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const isSigned = (secret: string, signature: string | undefined, body: string) => {
  const [right, received] = [Buffer.from(sign(secret, body)), Buffer.from(signature ?? '')]
  return right.length === received.length && timingSafeEqual(right, received)
}

/** A webhook handler over real HTTP; correct unless options change it. */
export async function startHandler({ answer = () => 200, read = whole, secrets = [SECRET], ...habits }: Habits = {}) {
  const seen = new Map<string, number>()
  const server = createServer(async (req, res) => {
    try {
      const body = await read(req)
      const signature = req.headers['x-service-signature'] as string | undefined
      const signed = habits.isSigned ?? ((received, text) => secrets.some((secret) => isSigned(secret, received, text)))
      if (!signed(signature, body)) return void res.writeHead(401).end()
      const event: Event = JSON.parse(body)
      seen.set(event.id, (seen.get(event.id) ?? 0) + 1)
      const status = answer(event, body, seen.get(event.id)!)
      if (status !== 'never') res.writeHead(status).end()
    } catch (error) {
      res.writeHead(500).end(String(error))
    }
  })
  const url = `${await listen(server)}/hook`
  return {
    url,
    async [Symbol.asyncDispose]() {
      await close(server)
    },
  }
}
