import { operations } from '../../src/registry/api.ts'

/** An id of a message is filled in when the request is sent, with one that exists by then. */
const seen = (text: string) => text.replace(/msg_00000000-0000-4000-8000-0*(\d+)/g, '{{MessageId $1}}')

/** Bodies that reach further than what a schema alone leads to, by the id of the operation. */
export const examples: Readonly<Record<string, readonly unknown[]>> = Object.fromEntries(
  operations.map(({ id, examples: all }) => [id, JSON.parse(seen(JSON.stringify(all))) as unknown[]]),
)
