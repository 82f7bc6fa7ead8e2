import { useState } from 'preact/hooks'
import { type Answer, call } from '../api/client.ts'
import { useRead } from '../api/read.ts'
import { ActionButton, ClearAllButton, RemoveButton } from '../ui/action-button.tsx'
import { Field, Select, TextField } from '../ui/fields.tsx'
import { Loaded, Panel, Table } from '../ui/parts.tsx'
import { addFault, clearFaults, removeFault } from './actions.ts'
import { CALL_FAULTS, DELIVERY_FAULTS, type FaultRequest } from './shapes.ts'

type Fault = Answer<'faults', 'list'>['faults'][number]

export function FaultsPanel() {
  const read = useRead('faults', () => call('faults', 'list'), { everyMs: 2_000 })
  return (
    <Panel title="Faults" aside={<ClearAllButton act={clearFaults()} rows={read.value?.faults} what="faults" />}>
      <NewFault />
      <Loaded read={read}>
        {({ faults }) => (
          <Table
            label="Faults"
            rows={faults}
            keyOf={({ id }) => id}
            empty="No faults yet."
            columns={[
              { title: 'On', cell: ({ routes, events }) => <code>{(routes ?? events ?? []).join(', ')}</code> },
              { title: 'Effect', cell: ({ does }) => does },
              { title: 'Applied', number: ({ hits, seen }) => `${hits} of ${seen}` },
              { title: 'Active', cell: ({ active }) => (active ? 'yes' : 'used up') },
              {
                title: 'Remove',
                cell: ({ id }) => (
                  <RemoveButton
                    act={removeFault(id)}
                    label={`Remove ${id}`}
                    lost="The fault and its counts will be removed."
                  />
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </Panel>
  )
}

const KINDS = {
  call: { names: CALL_FAULTS, preset: 'messages.send' },
  delivery: { names: DELIVERY_FAULTS, preset: 'message.*' },
} as const

function NewFault() {
  const [fault, setFault] = useState<FaultRequest>({ on: 'call', does: 'answer 503', name: 'messages.send', times: 1 })
  const choose = (on: FaultRequest['on']) =>
    setFault({ ...fault, on, does: KINDS[on].names[0], name: KINDS[on].preset })
  return (
    <div class="filters">
      <Field label="Affects">
        <select value={fault.on} onChange={({ currentTarget }) => choose(currentTarget.value as FaultRequest['on'])}>
          <option value="call">a call</option>
          <option value="delivery">a webhook</option>
        </select>
      </Field>
      <TextField
        label={fault.on === 'call' ? 'Operation' : 'Event'}
        wide
        value={fault.name}
        set={(name) => setFault({ ...fault, name: name.trim() })}
      />
      <Field label="Effect" class="field wide">
        <Select value={fault.does} options={KINDS[fault.on].names} choose={(does) => setFault({ ...fault, does })} />
      </Field>
      <TextField
        label="Times"
        value={fault.times || ''}
        inputMode="numeric"
        set={(times) => setFault({ ...fault, times: Number(times) })}
      />
      <ActionButton
        act={addFault(fault)}
        kind="main"
        describe={({ id }: Fault) => `Added ${id}.`}
        because={fault.name ? undefined : 'Enter an operation or event.'}
      >
        Add fault
      </ActionButton>
    </div>
  )
}
