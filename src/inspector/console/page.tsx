import { useState } from 'preact/hooks'
import type { OperationInfo } from '../../client/call.ts'
import { operations } from '../../client/operations.ts'
import { hrefOf, place } from '../api/place.ts'
import { ContractForm } from '../ui/contract-form.tsx'
import { Field } from '../ui/fields.tsx'
import { Empty, Json, PageHead, Panel, Table } from '../ui/parts.tsx'

const ALL: readonly OperationInfo[] = Object.values(operations)
  .flatMap((verbs) => Object.values(verbs as Record<string, OperationInfo>))
  .filter(({ media, accepts }) => media === undefined && accepts === undefined)

/** Every operation of the API and of the sandbox, each as a form. */
export function ConsolePage() {
  const { id } = place.value
  return id === undefined ? <Operations /> : <OneOperation id={id} key={id} />
}

function Operations() {
  const [text, setText] = useState('')
  const words = text.toLowerCase().split(/\s+/)
  const rows = ALL.filter(({ id, summary, path }) =>
    words.every((word) => `${id} ${summary} ${path}`.toLowerCase().includes(word)),
  )
  return (
    <>
      <PageHead title="API console" />
      <Panel title={`${rows.length} of ${ALL.length} operations`}>
        <div class="filters">
          <Field label="Search" class="field wide">
            <input
              type="search"
              value={text}
              placeholder="noun, verb, path or words"
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          </Field>
        </div>
        <Table
          label="Operations"
          rows={rows}
          keyOf={({ id }) => id}
          empty="No operation matches."
          columns={[
            {
              title: 'Operation',
              cell: ({ id }) => (
                <a class="mono" data-row href={hrefOf({ page: 'api', id })}>
                  {id}
                </a>
              ),
            },
            { title: 'Summary', cell: ({ summary }) => summary },
            {
              title: 'Request',
              cell: ({ method, path }) => (
                <code>
                  {method.toUpperCase()} {path}
                </code>
              ),
            },
          ]}
        />
      </Panel>
    </>
  )
}

function OneOperation({ id }: { id: string }) {
  const operation = ALL.find((one) => one.id === id)
  const [answer, setAnswer] = useState<{ value: unknown }>()
  const back = { href: hrefOf({ page: 'api' }), title: 'API console' }
  if (!operation)
    return (
      <>
        <PageHead title={`Unknown operation ${id}`} back={back} />
        <Empty>There is no operation {id}.</Empty>
      </>
    )
  const [noun, verb] = id.split('.') as [string, string]
  return (
    <>
      <PageHead title={operation.summary} back={back} />
      <Panel title={`${operation.method.toUpperCase()} ${operation.path}`}>
        <ContractForm noun={noun} verb={verb} button="Send request" then={(value: unknown) => setAnswer({ value })} />
      </Panel>
      {answer && (
        <Panel title="Answer">
          {answer.value === undefined ? (
            <Empty>Done. The answer has no body.</Empty>
          ) : (
            <Json of={answer.value} label="Answer" wraps />
          )}
        </Panel>
      )}
    </>
  )
}
