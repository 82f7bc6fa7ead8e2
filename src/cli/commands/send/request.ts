import { definedFields } from '../../../words/fields.ts'
import { isRecord } from '../../../words/json.ts'
import { parseDuration } from '../../../words/milliseconds.ts'
import { usage } from '../../process/exit.ts'
import { objectIn, textOf } from '../../process/files.ts'
import type { Io } from '../../process/io.ts'
import type { RequestFlags } from './options.ts'

export type SendFields = Record<string, unknown> & { to?: unknown; content?: unknown }

/** Builds the send request from the flags alone. */
export async function requestOf(io: Io, flags: RequestFlags): Promise<SendFields> {
  refuseSharedStdin(flags)
  refuseEmailParts(flags)
  const base = flags.data === undefined ? {} : await objectIn(io, flags.data)
  const fields = {
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
  return { ...base, ...definedFields(fields) }
}

async function contentOf(io: Io, flags: RequestFlags): Promise<object | undefined> {
  const fromFile = await wholeContent(io, flags)
  const parts = {
    ...(flags.text === undefined ? {} : { text: withoutLastBreak(await textFrom(io, flags.text)) }),
    ...(flags.html === undefined ? {} : { html: await textFrom(io, flags.html) }),
    ...(flags.suggestions.length === 0 ? {} : { suggestions: flags.suggestions }),
  }
  return fromFile || Object.keys(parts).length > 0 ? { ...fromFile, ...parts } : undefined
}

async function wholeContent(io: Io, { content, contentJson }: RequestFlags): Promise<object | undefined> {
  if (content !== undefined && contentJson !== undefined) throw usage('Pass --content or --content-json, not both.')
  if (content !== undefined) return objectIn(io, content)
  if (contentJson === undefined) return undefined
  if (!isRecord(contentJson)) throw usage('--content-json must be a JSON object.')
  return contentJson
}

export const isEmail = (to: unknown) => typeof to === 'string' && to.includes('@')

function refuseEmailParts(flags: RequestFlags) {
  const { to, channel } = flags
  const parts = (['subject', 'html'] as const).filter((name) => flags[name] !== undefined)
  if (parts.length > 0 && to !== undefined && !isEmail(to) && channel === undefined)
    throw usage(`${parts.map((name) => `--${name}`).join(' and ')} can only be sent to an email address.`)
}

function refuseSharedStdin(flags: RequestFlags) {
  const readers = (['text', 'html', 'content', 'data'] as const).filter((name) => flags[name] === '-')
  if (readers.length > 1)
    throw usage(`Only one of ${readers.map((name) => `--${name}`).join(' and ')} can be read from stdin.`)
}

/** Reads a text: literal, from a file for `@file`, from stdin for `-`. `@@` escapes a leading `@`. */
function textFrom(io: Io, text: string): string | Promise<string> {
  if (text === '-') return textOnStdin(io)
  if (text.startsWith('@@')) return text.slice(1)
  return text.startsWith('@') ? textOf(io, text.slice(1)) : text
}

async function textOnStdin(io: Io): Promise<string> {
  const text = await textOf(io, '-')
  if (text === '') throw usage('stdin is empty.')
  return text
}

/** Drops the final line break that editors and echo add, as `$(…)` does. */
const withoutLastBreak = (text: string) => text.replace(/\r?\n$/, '')

/** Converts `5m` to seconds, the only unit of the interface. The service would ask for that unit only. */
function secondsOf(ttl: string): string {
  const ms = parseDuration(ttl)
  if (ms === undefined || ms === 0 || ms % 1_000 !== 0)
    throw usage(`Invalid value ${JSON.stringify(ttl)} for --ttl. It must be whole seconds or more, such as 60s or 5m.`)
  return `${ms / 1_000}s`
}
