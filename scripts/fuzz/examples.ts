import { operations } from '../../src/registry/api.ts'

/** Replaces ids of messages by a mark; each request fills in an id that exists when it is sent. */
const seen = (text: string) => text.replace(/msg_00000000-0000-4000-8000-0*(\d+)/g, '{{MessageId $1}}')

/** Example bodies by operation id, which reach code that values made from schemas miss. */
export const examples: Readonly<Record<string, readonly unknown[]>> = Object.fromEntries(
  operations.map(({ id, examples: all }) => [id, JSON.parse(seen(JSON.stringify(all))) as unknown[]]),
)
