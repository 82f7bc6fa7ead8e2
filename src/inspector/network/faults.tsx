import { useState } from 'preact/hooks'
import { type Answer, call } from '../api/client.ts'
import { useRead } from '../api/read.ts'
import { ActionButton, ClearAllButton, RemoveButton } from '../ui/action-button.tsx'
import { Loaded, Panel, Table } from '../ui/parts.tsx'
import { addFault, clearFaults, removeFault } from './actions.ts'
import { CALL_FAULTS, DELIVERY_FAULTS, type FaultRequest } from './shapes.ts'

type Fault = Answer<'faults', 'list'>['faults'][number]

export function FaultsPanel() {
  const read = useRead('faults', () => call('faults', 'list'), { everyMs: 2_000 })
  return (
    <Panel title="Faults" aside={<ClearAllButton act={clearFaults()} rows={read.value?.faults} />}>
      <NewFault />
      <Loaded read={read}>
        {({ faults }) => (
          <Table
            label="Faults"
            rows={faults}
            keyOf={({ id }) => id}
            empty="Nothing goes wrong on purpose."
            columns={[
              { title: 'On', cell: ({ routes, events }) => <code>{(routes ?? events ?? []).join(', ')}</code> },
              { title: 'What it does', cell: ({ does }) => does },
              { title: 'Struck', cell: ({ hits, seen }) => `${hits} of ${seen}`, class: 'number' },
              { title: 'Active', cell: ({ active }) => (active ? 'yes' : 'used up') },
              {
                title: 'Remove',
                cell: ({ id }) => <RemoveButton act={removeFault(id)} label={`Remove ${id}`} />,
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
  const turn = (on: FaultRequest['on']) => setFault({ ...fault, on, does: KINDS[on].names[0], name: KINDS[on].preset })
  return (
    <div class="filters">
      <label class="field">
        <span>Goes wrong</span>
        <select value={fault.on} onChange={({ currentTarget }) => turn(currentTarget.value as FaultRequest['on'])}>
          <option value="call">a call</option>
          <option value="delivery">a webhook</option>
        </select>
      </label>
      <label class="field wide">
        <span>{fault.on === 'call' ? 'Operation' : 'Event'}</span>
        <input
          value={fault.name}
          onInput={({ currentTarget }) => setFault({ ...fault, name: currentTarget.value.trim() })}
        />
      </label>
      <label class="field wide">
        <span>What it does</span>
        <select
          value={fault.does}
          onChange={({ currentTarget }) => setFault({ ...fault, does: currentTarget.value as FaultRequest['does'] })}
        >
          {KINDS[fault.on].names.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>Times</span>
        <input
          value={fault.times || ''}
          inputMode="numeric"
          onInput={({ currentTarget }) => setFault({ ...fault, times: Number(currentTarget.value) })}
        />
      </label>
      <ActionButton
        act={addFault(fault)}
        kind="main"
        says={({ id }: Fault) => `Added ${id}.`}
        because={fault.name ? undefined : 'Say what it meets.'}
      >
        Add fault
      </ActionButton>
    </div>
  )
}
