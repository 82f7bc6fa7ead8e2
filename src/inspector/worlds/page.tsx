import { useState } from 'preact/hooks'
import { call } from '../api/client.ts'
import { namespace } from '../api/namespace.ts'
import { go, hrefOf } from '../api/place.ts'
import { useRead } from '../api/read.ts'
import { ActionButton, RemoveButton } from '../ui/action-button.tsx'
import { Field, Select, TrimmedField } from '../ui/fields.tsx'
import { Loaded, PageHead, Panel, Table, When } from '../ui/parts.tsx'
import { count } from '../ui/text.ts'
import { create, fork, type ResetScope, remove, removeSnapshot, reset, restore, SCOPES, save } from './actions.ts'

export const WorldsPage = () => (
  <>
    <PageHead title="Worlds" />
    <Namespaces />
    <Snapshots />
  </>
)

/** What a reset of each scope removes. */
const LOST: Readonly<Record<ResetScope, string>> = {
  all: 'all messages, events, contacts, agents, rules, faults and changed settings, and the clock',
  messages: 'all messages and conversations',
  events: 'the event log and all deliveries',
  faults: 'all faults',
  rules: 'all rules',
  balance: 'all movements of money and invoices',
}

function Namespaces() {
  const read = useRead('worlds', () => call('namespaces', 'list'), { everyMs: 1_000 })
  const [scope, setScope] = useState<ResetScope>('all')
  const [name, setName] = useState('')
  return (
    <Panel
      title="Namespaces"
      aside={
        <Field label="Scope of reset" class="switch">
          <Select value={scope} options={SCOPES} choose={setScope} />
        </Field>
      }
    >
      <Loaded read={read}>
        {({ namespaces, max_namespaces }) => (
          <>
            <Table
              label="Namespaces"
              rows={namespaces}
              keyOf={({ name }) => name}
              isCurrent={({ name }) => name === namespace.value}
              columns={[
                {
                  title: 'Namespace',
                  cell: ({ name }) => (
                    <a data-row href={hrefOf({ namespace: name, page: 'messages' })}>
                      {name}
                    </a>
                  ),
                  class: 'anywhere',
                },
                { title: 'API key', cell: ({ name }) => <code>sk_sandbox_{name}</code>, class: 'anywhere' },
                { title: 'State', cell: ({ state }) => state },
                { title: 'Clock', cell: ({ clock }) => clock?.mode ?? '–' },
                { title: 'Time', cell: ({ clock }) => <When at={clock?.now} full />, class: 'nowrap' },
                {
                  title: 'Next scheduled work',
                  cell: ({ next_due_at }) => <When at={next_due_at} full />,
                  class: 'nowrap',
                },
                {
                  title: 'Reset',
                  cell: ({ name }) => (
                    <ActionButton
                      act={reset(name, scope)}
                      class="small"
                      label={`Reset ${name}`}
                      describe={() => `Reset ${name} (${scope}).`}
                      confirm={{
                        title: `Reset ${name}?`,
                        lost: `This removes ${LOST[scope]} of ${name}, and puts the state of the world file in their place.`,
                        snapshotOf: name,
                      }}
                    >
                      Reset
                    </ActionButton>
                  ),
                },
                {
                  title: 'Delete',
                  cell: ({ name }) => (
                    <ActionButton
                      act={remove(name)}
                      kind="danger"
                      class="small"
                      label={`Delete ${name}`}
                      because={
                        name === 'default' ? 'The default namespace cannot be deleted. Reset it instead.' : undefined
                      }
                      describe={() => `Deleted ${name}.`}
                      confirm={{
                        title: `Delete ${name}?`,
                        lost: `The namespace and all its data will be removed: messages, events, contacts, settings and clock.`,
                        snapshotOf: name,
                      }}
                    >
                      Delete
                    </ActionButton>
                  ),
                },
              ]}
            />
            <p class="note">
              {count(namespaces.length)} of at most {count(max_namespaces)} namespaces
            </p>
          </>
        )}
      </Loaded>
      <div class="line">
        <NamespaceField label="New namespace" value={name} set={setName} />
        <ActionButton
          act={create(name || 'ada')}
          because={name ? undefined : 'Enter a name.'}
          describe={() => `Created ${name}.`}
          then={() => go({ namespace: name, page: 'messages' })}
        >
          Create
        </ActionButton>
      </div>
    </Panel>
  )
}

const NamespaceField = ({ set, ...field }: { label: string; value: string; set: (name: string) => void }) => (
  <TrimmedField {...field} placeholder="ada" set={(name) => set(name.toLowerCase())} />
)

function Snapshots() {
  const read = useRead('snapshots', () => call('snapshots', 'list'), { everyMs: 2_000 })
  const [name, setName] = useState('')
  const [into, setInto] = useState('')
  return (
    <Panel title="Snapshots">
      <div class="line">
        <TrimmedField
          label={`New snapshot of ${namespace.value}`}
          value={name}
          placeholder="before-the-test"
          set={setName}
        />
        <ActionButton
          act={save(name || 'before-the-test')}
          kind="main"
          because={name ? undefined : 'Enter a name.'}
          describe={() => `Saved as ${name}.`}
        >
          Save
        </ActionButton>
        <span class="space" />
        <NamespaceField label="Fork into namespace" value={into} set={setInto} />
      </div>
      <Loaded read={read}>
        {({ snapshots }) => (
          <Table
            label="Snapshots"
            rows={snapshots}
            keyOf={({ name }) => name}
            empty="No snapshots yet."
            columns={[
              { title: 'Snapshot', cell: ({ name }) => name, class: 'anywhere' },
              { title: 'Namespace', cell: ({ namespace }) => namespace, class: 'anywhere' },
              { title: 'World time', cell: ({ clock }) => <When at={clock.now} full />, class: 'nowrap' },
              { title: 'Size', cell: ({ bytes }) => `${count(Math.ceil(bytes / 1024))} KiB`, class: 'number' },
              {
                title: 'Restore',
                cell: ({ name, clock }) => (
                  <ActionButton
                    act={restore(name)}
                    class="small"
                    label={`Restore here: ${name}`}
                    describe={() => `Restored ${name} in ${namespace.value}.`}
                    confirm={{
                      title: `Restore ${name}?`,
                      lost: `Everything in ${namespace.value} will be replaced by the snapshot of ${clock.now}. Messages, events and changes since then will be lost.`,
                      snapshotOf: namespace.value,
                    }}
                  >
                    Restore here
                  </ActionButton>
                ),
              },
              {
                title: 'Fork',
                cell: ({ name }) => (
                  <ActionButton
                    act={fork(name, into || 'ada')}
                    class="small"
                    label={`Fork ${name}`}
                    because={into ? undefined : 'Enter the namespace to fork into.'}
                    describe={() => `Forked ${name} into ${into}.`}
                  >
                    Fork
                  </ActionButton>
                ),
              },
              {
                title: 'Delete',
                cell: ({ name }) => (
                  <RemoveButton
                    act={removeSnapshot(name)}
                    label={`Remove ${name}`}
                    lost="The snapshot will be deleted. It cannot be restored."
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
