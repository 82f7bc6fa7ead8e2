import { useState } from 'preact/hooks'
import type { OperationInfo } from '../../client/call.ts'
import { operations } from '../../client/operations.ts'
import { requestLineOf } from '../../words/operation.ts'
import { ContractForm } from '../ui/contract-form.tsx'
import { Search } from '../ui/fields.tsx'
import { Empty, Json, PageHead, Panel } from '../ui/parts.tsx'
import { Table } from '../ui/table.tsx'

/** The operations that have a form. */
const ALL: readonly OperationInfo[] = Object.values(operations)
  .flatMap((verbs) => Object.values(verbs as Record<string, OperationInfo>))
  .filter(({ media, accepts }) => media === undefined && accepts === undefined)

/** The operations that contain all words of a text. */
export function operationsFor(text: string): readonly OperationInfo[] {
  const words = text.toLowerCase().split(/\s+/)
  return ALL.filter(({ id, summary, path }) =>
    words.every((word) => `${id} ${summary} ${path}`.toLowerCase().includes(word)),
  )
}

/** Every operation of the API and of the sandbox, each as a form. */
export function Operations() {
  const [text, setText] = useState('')
  const rows = operationsFor(text)
  return (
    <>
      <PageHead title="API console" />
      <Panel title={`${rows.length} of ${ALL.length} operations`}>
        <div class="filters">
          <Search value={text} placeholder="Noun, verb, path or words" set={setText} />
        </div>
        <Table
          label="Operations"
          rows={rows}
          keyOf={({ id }) => id}
          empty="No operation matches."
          columns={[
            { title: 'Operation', cell: ({ id }) => id, to: ({ id }) => ({ page: 'api', id }) },
            { title: 'Summary', cell: ({ summary }) => summary, class: 'says' },
            {
              title: 'Request',
              cell: ({ method, path }) => <code>{requestLineOf({ method, path })}</code>,
            },
          ]}
        />
      </Panel>
    </>
  )
}

export function OneOperation({ id }: { id: string }) {
  const operation = ALL.find((one) => one.id === id)
  const [answer, setAnswer] = useState<{ value: unknown }>()
  const back = ['api', 'API console'] as const
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
      <Panel title={requestLineOf(operation)}>
        <ContractForm
          noun={noun}
          verb={verb}
          button="Send request"
          // What an answer means differs: that of webhooks.test may be that nothing was delivered.
          describe={() => 'The sandbox answered.'}
          then={(value: unknown) => setAnswer({ value })}
        />
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
