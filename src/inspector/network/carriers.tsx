import { type Answer, operationOf } from '../api/client.ts'
import { useCall, useRead } from '../api/read.ts'
import { type FormField, fieldsOf } from '../api/schema.ts'
import { ActionButton, ResetButton } from '../ui/action-button.tsx'
import { textOf } from '../ui/field-text.ts'
import { FormButton } from '../ui/form-button.tsx'
import { Loaded, Panel } from '../ui/parts.tsx'
import { Table } from '../ui/table.tsx'
import { fieldTitle } from '../ui/text.ts'
import { outage, resetCarrier } from './actions.ts'

type Carrier = Answer<'carriers', 'show'>

/** A column for each carrier; deviations from the world file are marked. */
export function CarriersPanel() {
  const read = useCall(['carriers', 'list'], { everyMs: 2_000 })
  const settings = useRead('carrier settings', () => fieldsOf(operationOf('carriers', 'update')), { when: () => false })
  return (
    <Panel title="Carriers">
      <Loaded read={read}>
        {({ carriers }) => (
          <Table
            label="Carriers"
            rows={[
              ...FIRST,
              ...(settings.value ?? []).filter(({ name }) => name in carriers[0]! && !OTHER.has(name)).map(rowOf),
              ...LAST,
            ]}
            keyOf={({ title }) => title}
            columns={[
              {
                title: 'Setting',
                cell: ({ title, note }) => (
                  <>
                    {title}
                    {note && <span class="note"> {note}</span>}
                  </>
                ),
              },
              ...carriers.map((carrier) => ({ title: carrier.name, cell: ({ cell }: Row) => cell(carrier) })),
            ]}
          />
        )}
      </Loaded>
    </Panel>
  )
}

interface Row {
  title: string
  note?: string
  cell: (carrier: Carrier) => preact.ComponentChildren
}

/** Settings with a row of their own, and the path parameter. */
const OTHER = new Set(['name', 'outage'])

const rowOf = (field: FormField): Row => ({
  title: fieldTitle(field.name),
  // The form has the whole description.
  note: field.description.split(/[.:;]/)[0]!,
  cell: (carrier) => (
    <span class={carrier.changed.includes(field.name) ? 'mono changed' : 'mono'}>
      {textOf(carrier[field.name as keyof Carrier], field) || '–'}
    </span>
  ),
})

const FIRST: readonly Row[] = [
  { title: 'Change', cell: (carrier) => <Change of={carrier} /> },
  { title: 'Outage', cell: (carrier) => <Outage of={carrier} /> },
]
const LAST: readonly Row[] = [
  // Messages that an outage holds up are not counted: each tries again by itself.
  { title: 'Waiting for throughput', note: 'Messages above the throughput limit', cell: ({ waiting }) => waiting },
]

const Outage = ({ of: { name, outage: isOn } }: { of: Carrier }) => (
  <>
    <ActionButton act={outage(name, !isOn)} pressed={isOn} label={`Outage of ${name}`} class="small toggle">
      Outage
    </ActionButton>
    {isOn && <span class="note"> messages stay queued</span>}
  </>
)

const Change = ({ of: carrier }: { of: Carrier }) => (
  <span class="choices">
    <FormButton
      title={`Change ${carrier.name}`}
      word="Change"
      button="Save"
      noun="carriers"
      verb="update"
      fixed={{ name: carrier.name }}
      initial={carrier}
      describe={({ name }: Carrier) => `Changed ${name}.`}
    />
    <ResetButton
      act={resetCarrier(carrier.name)}
      name={carrier.name}
      because={carrier.changed.length === 0 ? 'All settings are the defaults.' : undefined}
    />
  </span>
)
