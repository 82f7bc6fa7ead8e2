import { useState } from 'preact/hooks'
import { apiKeyOf, DEFAULT_NAMESPACE } from '../../words/api-key.ts'
import { FILE_NAME_FAULT, isFileName } from '../../words/file-name.ts'
import { quantity, withCommas } from '../../words/number-text.ts'
import { isShared, namespace } from '../api/namespace.ts'
import { go } from '../api/place.ts'
import { useCall } from '../api/read.ts'
import { token } from '../api/token.ts'
import { ActionButton, RemoveButton } from '../ui/action-button.tsx'
import { Field, Select, TrimmedField } from '../ui/fields.tsx'
import { FormButton } from '../ui/form-button.tsx'
import { Loaded, PageHead, Panel } from '../ui/parts.tsx'
import { ShownOf, Table } from '../ui/table.tsx'
import { dayOf } from '../ui/text.ts'
import { create, type ResetScope, remove, removeSnapshot, reset, restore, SCOPES, save } from './actions.ts'

export const WorldsPage = () => (
  <>
    <PageHead title="Worlds" />
    <Namespaces />
    <Snapshots />
  </>
)

/** What a reset of each scope does, as in docs/worlds.md. */
const LOST: Readonly<Record<ResetScope, string>> = {
  all: 'Everything will be deleted, the endpoints of webhooks too, and the clock starts again. What the world file describes is created again.',
  messages:
    'Messages, conversations, inboxes and runs of campaigns will be deleted, and their holds released. Events, contacts and agents stay.',
  events: 'The event log, its deliveries and its cursors will be deleted. Endpoints and messages stay.',
  faults: 'The faults will be those of the world file again, with their counters at 0.',
  rules: 'The rules will be those of the world file again, with their counters at 0.',
  balance:
    'The balance will be the opening one again, by an adjustment in the ledger. Holds, earlier movements and invoices stay.',
}

/** Namespaces that are shown at first; the palette finds the others by name. */
const SHOWN = 50

function Namespaces() {
  const read = useCall(['namespaces', 'list'], { everyMs: 1_000 })
  const [scope, setScope] = useState<ResetScope>('all')
  const [name, setName] = useState('')
  const [most, setMost] = useState(SHOWN)
  return (
    <Panel
      title="Namespaces"
      aside={
        !isShared.value && (
          <form class="choices" onSubmit={(event) => event.preventDefault()}>
            <TrimmedField label="New namespace" value={name} placeholder="ada" set={setName} />
            <ActionButton
              act={create(name || 'ada')}
              submits
              because={name ? (isFileName(name) ? undefined : `A name ${FILE_NAME_FAULT}.`) : 'Enter a name.'}
              describe={() => `Created ${name}.`}
              then={() => go({ namespace: name, page: 'messages' })}
            >
              Create
            </ActionButton>
          </form>
        )
      }
    >
      <Loaded read={read}>
        {({ namespaces, max_namespaces }) => (
          <>
            <p class="line">
              <Field label="Scope of a reset" class="switch">
                <Select value={scope} options={SCOPES} choose={setScope} />
              </Field>
            </p>
            <Table
              label="Namespaces"
              rows={namespaces.filter(({ name }, i) => i < most || name === namespace.value)}
              keyOf={({ name }) => name}
              isCurrent={({ name }) => name === namespace.value}
              columns={[
                {
                  title: 'Namespace',
                  cell: ({ name }) => name,
                  to: ({ name }) => ({ namespace: name, page: 'messages' }),
                },
                isShared.value
                  ? { title: 'Credentials', cell: ({ tenant }) => (tenant ? credentials(tenant) : '–') }
                  : { title: 'API key', cell: ({ name }) => <code>{apiKeyOf(name)}</code>, class: 'anywhere' },
                { title: 'State', cell: ({ state }) => state },
                { title: 'Clock', cell: ({ clock }) => clock?.mode ?? '–' },
                { title: 'Time', when: ({ clock }) => clock?.now },
                { title: 'Next scheduled work', when: ({ next_due_at }) => next_due_at },
                {
                  title: 'Actions',
                  cell: ({ name }) => (
                    <span class="choices">
                      <ActionButton
                        act={reset(name, scope)}
                        class="small"
                        label={`Reset ${name}`}
                        describe={() => `Reset ${name} (${scope}).`}
                        confirm={{
                          title: `Reset ${name}?`,
                          lost: LOST[scope],
                          snapshotOf: name,
                        }}
                      >
                        Reset
                      </ActionButton>
                      <ActionButton
                        act={remove(name)}
                        kind="danger"
                        class="small"
                        label={`Delete ${name}`}
                        because={
                          name === DEFAULT_NAMESPACE
                            ? 'The default namespace cannot be deleted. Reset it instead.'
                            : token.confinedTo && 'Only the administrator deletes namespaces.'
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
                    </span>
                  ),
                },
              ]}
            />
            <ShownOf
              shown={Math.min(most, namespaces.length)}
              total={namespaces.length}
              noun="namespaces"
              more={() => setMost(most + 200)}
            />
            <div class="more line">
              <span class="space" />
              <span class="note">
                {token.confinedTo
                  ? 'Your token opens this namespace only.'
                  : `${quantity(namespaces.length, 'namespaces')} of at most ${withCommas(max_namespaces)}`}
              </span>
            </div>
          </>
        )}
      </Loaded>
    </Panel>
  )
}

const credentials = ({ keys, tokens, expires_at }: { keys: number; tokens: number; expires_at: string | null }) =>
  `${quantity(keys, 'keys')}, ${quantity(tokens, 'tokens')}${expires_at ? `, until ${dayOf(expires_at)}` : ''}`

function Snapshots() {
  const read = useCall(['snapshots', 'list'], { everyMs: 2_000 })
  const [name, setName] = useState('')
  return (
    <Panel
      title="Snapshots"
      aside={
        <form class="choices" onSubmit={(event) => event.preventDefault()}>
          <TrimmedField
            label={`New snapshot of ${namespace.value}`}
            value={name}
            placeholder="before-the-test"
            set={setName}
          />
          <ActionButton
            act={save(name || 'before-the-test')}
            kind="main"
            submits
            because={name ? undefined : 'Enter a name.'}
            describe={() => `Saved as ${name}.`}
          >
            Save
          </ActionButton>
        </form>
      }
    >
      <Loaded read={read}>
        {({ snapshots, damaged }) => (
          <>
            <Table
              label="Snapshots"
              rows={snapshots}
              keyOf={({ name }) => name}
              empty="No snapshots yet."
              columns={[
                { title: 'Snapshot', cell: ({ name }) => name, class: 'anywhere' },
                { title: 'Namespace', cell: ({ namespace }) => namespace, class: 'anywhere' },
                { title: 'World time', when: ({ clock }) => clock.now },
                { title: 'Size', number: ({ bytes }) => `${withCommas(Math.ceil(bytes / 1024))} KiB` },
                {
                  title: 'Actions',
                  cell: ({ name, clock }) => (
                    <span class="choices">
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
                      {!isShared.value && (
                        <FormButton
                          title={`Fork ${name}`}
                          word="Fork"
                          noun="snapshots"
                          verb="fork"
                          fixed={{ name }}
                          button="Fork"
                          describe={({ namespace }: { namespace: string }) => `Forked ${name} into ${namespace}.`}
                        />
                      )}
                      <DeleteSnapshot name={name} />
                    </span>
                  ),
                },
              ]}
            />
            {damaged.map((name) => (
              <p key={name} class="refused line">
                The file of the snapshot {name} is damaged and cannot be restored.
                <span class="space" />
                <DeleteSnapshot name={name} />
              </p>
            ))}
          </>
        )}
      </Loaded>
    </Panel>
  )
}

const DeleteSnapshot = ({ name }: { name: string }) => (
  <RemoveButton
    act={removeSnapshot(name)}
    label={`Delete ${name}`}
    word="Delete"
    lost="The snapshot will be deleted. It cannot be restored."
  />
)
