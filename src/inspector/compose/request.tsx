import { useState } from 'preact/hooks'
import { shellWord } from '../../words/shell.ts'
import { isShared, keyVariable } from '../api/namespace.ts'
import { commandOf } from '../api/page-action.ts'
import { CopyButton } from '../ui/copy.tsx'
import { Toggles } from '../ui/fields.tsx'
import { Json, Panel } from '../ui/parts.tsx'
import { send } from './actions.ts'

const FORMS = ['JSON', 'curl', 'CLI', 'TypeScript'] as const

/** The request in four notations. */
export function Request({ body }: { body: Record<string, unknown> }) {
  const [form, setForm] = useState<(typeof FORMS)[number]>('JSON')
  const text = TEXTS[form](body)
  return (
    <Panel
      title="Request"
      aside={
        <span class="choices">
          <Toggles label="Notation" value={form} options={FORMS} choose={setForm} />
          <CopyButton text={text} />
        </span>
      }
    >
      <Json of={text} label={`Request as ${form}`} wraps />
    </Panel>
  )
}

const pretty = (body: unknown) => JSON.stringify(body, null, 2)

const TEXTS: Readonly<Record<(typeof FORMS)[number], (body: Record<string, unknown>) => string>> = {
  JSON: pretty,
  curl: (body) =>
    [
      `curl -X POST ${location.origin}/v1/messages \\`,
      `  -H "Authorization: Bearer ${keyVariable()}" \\`,
      '  -H "Content-Type: application/json" \\',
      `  --data-raw ${shellWord(JSON.stringify(body))}`,
    ].join('\n'),
  CLI: (body) => commandOf(send(body)),
  TypeScript: (body) =>
    [
      "import { createClient } from 'messaging-sandbox'",
      '',
      `const client = createClient({ baseUrl: '${location.origin}', apiKey: ${isShared.value ? 'process.env.SANDBOX_API_KEY' : `'${keyVariable()}'`} })`,
      `const { message_id } = await client.messages.send(${pretty(body)})`,
    ].join('\n'),
}
