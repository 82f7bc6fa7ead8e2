import express, { type Request, type Response } from 'express'
import { type Problem, problem } from '../words/problem.ts'

const LIMIT_BYTES = 1024 * 1024

const json = express.json({ limit: LIMIT_BYTES, strict: false, type: () => true })

const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i

/** The JSON of a request; undefined when it has no body. */
export async function parseBody(req: Request, res: Response): Promise<unknown> {
  if (!hasBody(req)) return undefined
  if (!JSON_TYPE.test(req.headers['content-type'] ?? '')) throw problem('unsupported_media_type')
  await new Promise<void>((resolve, reject) => {
    json(req, res, (error?: unknown) => (error ? reject(refusalOf(error)) : resolve()))
  })
  if (req.body === null || typeof req.body !== 'object' || Array.isArray(req.body))
    throw problem('validation_error', 'The body must be a JSON object.')
  return req.body
}

const hasBody = (req: Request) =>
  req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0

function refusalOf(error: unknown): Problem | unknown {
  const { type, message } = error as { type?: string; message: string }
  if (type === 'entity.too.large') return problem('payload_too_large')
  if (type === 'encoding.unsupported' || type === 'charset.unsupported')
    return problem(
      'unsupported_media_type',
      `The ${type.split('.')[0]} of the body is not supported. Send plain UTF-8 JSON.`,
    )
  if (type === 'entity.parse.failed') return problem('invalid_json', `The body is not JSON: ${message}.`)
  if (type?.startsWith('request.') || type?.startsWith('entity.') || (error as { status?: number }).status === 400)
    return problem('invalid_json', `The body could not be read: ${message}.`)
  return error
}
