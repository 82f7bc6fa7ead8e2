import type { AnswerTo } from '../../../client/answers.ts'
import type { Paint } from '../../output/paint.ts'
import { jsonOf, linesOf } from '../../output/printable.ts'
import { kept } from '../../output/wrap.ts'

export type LoggedExchange = AnswerTo<'logs.list'>['requests'][number]

export const lineInWords = (
  { at, method, path, to, status, error, duration_ms, request_id, replayed, fault }: LoggedExchange,
  paint: Paint,
): string =>
  [
    paint.dim(at.slice(11, 23)),
    statusIn(paint, status),
    method.padEnd(6),
    path,
    ...(to === null ? [] : [`to ${to}`]),
    paint.dim(`${duration_ms} ms`),
    ...(error ? [paint.red(error)] : []),
    ...(replayed ? [paint.yellow('replayed')] : []),
    ...(fault ? [paint.yellow(`fault ${fault}`)] : []),
    paint.dim(request_id),
  ].join('  ')

/** The exchange as sent over the wire, without secrets. */
export const exchangeInWords = (recorded: LoggedExchange, paint: Paint): string =>
  [
    lineInWords(recorded, paint),
    '',
    `${paint.bold(recorded.method)} ${recorded.path}`,
    ...partIn(paint, recorded.request),
    '',
    statusIn(paint, recorded.status),
    ...partIn(paint, recorded.response),
    '',
  ].join('\n')

function partIn(paint: Paint, part: LoggedExchange['request']): string[] {
  if (!part) return []
  const headers = Object.entries(part.headers).map(([name, value]) => kept(`${paint.dim(`${name}:`)} ${value}`))
  if (part.body === null) return [...headers, ...(part.bytes > 0 ? ['', paint.dim(`${part.bytes} bytes`)] : [])]
  const rest = part.truncated ? [paint.dim(`… truncated from ${part.bytes} bytes`)] : []
  return [...headers, '', ...pretty(part.body).map(kept), ...rest]
}

/** Indents JSON; keeps the lines of other text. */
function pretty(body: string): string[] {
  const lines = linesOf(body)
  try {
    return [jsonOf(JSON.parse(lines.join(' ').replaceAll('␉', ' ')), 2)]
  } catch {
    return lines
  }
}

function statusIn(paint: Paint, status: number | null): string {
  if (status === null) return paint.red('---')
  const colour = status < 300 ? paint.green : status < 400 ? paint.cyan : status < 500 ? paint.yellow : paint.red
  return colour(String(status))
}
