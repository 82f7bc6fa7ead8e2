import { type Choice, isPublicKey } from './choice.ts'

/**
 * The options by which a command that the user types next reaches the same service, each with a leading blank; empty
 * where it finds the service by itself. Secret keys are never shown.
 */
export function targetFlags({ baseUrl, baseUrlFrom, apiKey, apiKeyFrom }: Choice, isLive: boolean): string {
  return [
    ...(baseUrlFrom === '--base-url' ? [`--base-url ${baseUrl}`] : []),
    ...(baseUrlFrom.endsWith('(--profile)') ? [`--profile ${quoted(baseUrlFrom.split(' ')[1]!)}`] : []),
    ...(apiKeyFrom === '--api-key'
      ? [isPublicKey(apiKey) ? `--api-key ${apiKey}` : '--api-key "$SANDBOX_API_KEY"']
      : []),
    ...(isLive ? ['--live'] : []),
  ]
    .map((flag) => ` ${flag}`)
    .join('')
}

const quoted = (word: string) => (/^[\w.-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
