import { parseDuration } from '../../../words/milliseconds.ts'
import { usage } from '../../exit.ts'
import { objectIn, textOf } from '../../files.ts'
import type { Io } from '../../io.ts'
import type { SendFlags } from './flags.ts'

export type Request = Record<string, unknown> & { to?: unknown; content?: unknown }

/** The send request as the flags say it, with nothing added. */
export async function requestOf(io: Io, flags: SendFlags): Promise<Request> {
  const base = flags.data === undefined ? {} : await objectIn(io, flags.data)
  const said = {
    to: flags.to,
    agent_id: flags.agent,
    channel_id: flags.channel,
    message_type: flags.messageType,
    traffic_type: flags.trafficType,
    subject: flags.subject,
    content: await contentOf(io, flags),
    template_id: flags.template,
    template_version: flags.templateVersion,
    template_data: flags.var,
    ttl: flags.ttl === undefined ? undefined : secondsOf(flags.ttl),
  }
  return { ...base, ...Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)) }
}

async function contentOf(io: Io, flags: SendFlags): Promise<object | undefined> {
  const whole = await wholeContent(io, flags)
  const parts = {
    ...(flags.text === undefined ? {} : { text: flags.text }),
    ...(flags.html === undefined ? {} : { html: await htmlOf(io, flags.html) }),
    ...(flags.suggestions.length === 0 ? {} : { suggestions: flags.suggestions }),
  }
  return whole || Object.keys(parts).length > 0 ? { ...whole, ...parts } : undefined
}

async function wholeContent(io: Io, { content, contentJson, data }: SendFlags): Promise<object | undefined> {
  if (content !== undefined && contentJson !== undefined) throw usage('Give --content or --content-json, not both.')
  if (content === '-' && data === '-') throw usage('Only one of --content and --data can be read from stdin.')
  if (content !== undefined) return objectIn(io, content)
  if (contentJson === undefined) return undefined
  if (contentJson === null || typeof contentJson !== 'object' || Array.isArray(contentJson))
    throw usage('--content-json must be a JSON object.')
  return contentJson
}

const htmlOf = (io: Io, html: string) => (html.startsWith('@') ? textOf(io, html.slice(1)) : html)

/** The interface takes seconds only; `5m` is friendlier. What is no duration goes as it is, and is refused there. */
function secondsOf(ttl: string): string {
  const ms = parseDuration(ttl)
  return ms !== undefined && ms > 0 && ms % 1_000 === 0 ? `${ms / 1_000}s` : ttl
}
