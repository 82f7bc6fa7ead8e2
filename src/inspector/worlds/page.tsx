import { useState } from 'preact/hooks'
import { call } from '../api/client.ts'
import { namespace } from '../api/namespace.ts'
import { hrefOf } from '../api/place.ts'
import { useRead } from '../api/read.ts'
import { ActionButton, RemoveButton } from '../ui/action-button.tsx'
import { Field, Select, TrimmedField } from '../ui/fields.tsx'
import { Loaded, PageHead, Panel, Table, When } from '../ui/parts.tsx'
import { count } from '../ui/text.ts'
import { fork, remove, removeSnapshot, reset, restore, SCOPES, save } from './actions.ts'

export const WorldsPage = () => (
  <>
    <PageHead title="Worlds" />
    <Namespaces />
    <Snapshots />
  </>
)

function Namespaces() {
  const read = useRead('worlds', () => call('namespaces', 'list'), { everyMs: 1_000 })
  const [scope, setScope] = useState<(typeof SCOPES)[number]>('all')
  const [name, setName] = useState('')
  return (
    <Panel
      title="Namespaces"
      aside={
        <Field label="Reset puts back" class="switch">
          <Select value={scope} options={SCOPES} choose={setScope} />
        </Field>
      }
    >
      <Loaded read={read}>
        {({ namespaces }) => (
          <Table
            label="Namespaces"
            rows={namespaces}
            keyOf={({ name }) => name}
            columns={[
              {
                title: 'Namespace',
                cell: ({ name }) => <a href={hrefOf({ namespace: name, page: 'messages' })}>{name}</a>,
              },
              { title: 'Key', cell: ({ name }) => <code>sk_sandbox_{name}</code> },
              { title: 'State', cell: ({ state }) => state },
              { title: 'Clock', cell: ({ clock }) => clock?.mode ?? '–' },
              { title: 'Now', cell: ({ clock }) => <When at={clock?.now} full />, class: 'nowrap' },
              { title: 'Next is due', cell: ({ next_due_at }) => <When at={next_due_at} full />, class: 'nowrap' },
              {
                title: 'Reset',
                cell: ({ name }) => (
                  <ActionButton
                    act={reset(name, scope)}
                    class="small"
                    label={`Reset ${name}`}
                    says={() => `${name} is as it was (${scope}).`}
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
                    says={() => `${name} is gone.`}
                  >
                    Delete
                  </ActionButton>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      <div class="line">
        <NamespaceField label="Another one; its key makes it when it is first used" value={name} set={setName} />
        <a class="button" href={hrefOf({ namespace: name || namespace.value, page: 'messages' })}>
          Go there
        </a>
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
          label={`Name of a new one, of ${namespace.value} as it is`}
          value={name}
          placeholder="before-the-test"
          set={setName}
        />
        <ActionButton
          act={save(name || '…')}
          kind="main"
          because={name ? undefined : 'Give it a name.'}
          says={() => `Saved as ${name}.`}
        >
          Save
        </ActionButton>
        <span class="space" />
        <NamespaceField label="Fork makes the namespace" value={into} set={setInto} />
      </div>
      <Loaded read={read}>
        {({ snapshots }) => (
          <Table
            label="Snapshots"
            rows={snapshots}
            keyOf={({ name }) => name}
            empty="There is no snapshot."
            columns={[
              { title: 'Snapshot', cell: ({ name }) => name },
              { title: 'Of', cell: ({ namespace }) => namespace },
              { title: 'At', cell: ({ clock }) => <When at={clock.now} full />, class: 'nowrap' },
              { title: 'Size', cell: ({ bytes }) => `${count(Math.ceil(bytes / 1024))} KiB`, class: 'number' },
              {
                title: 'Restore',
                cell: ({ name }) => (
                  <ActionButton
                    act={restore(name)}
                    class="small"
                    label={`Restore here: ${name}`}
                    says={() => `${namespace.value} is as ${name} was.`}
                  >
                    Restore here
                  </ActionButton>
                ),
              },
              {
                title: 'Fork',
                cell: ({ name }) => (
                  <ActionButton
                    act={fork(name, into || '…')}
                    class="small"
                    label={`Fork ${name}`}
                    because={into ? undefined : 'Say which namespace it makes.'}
                    says={() => `${into} is a copy of ${name}.`}
                  >
                    Fork
                  </ActionButton>
                ),
              },
              {
                title: 'Delete',
                cell: ({ name }) => <RemoveButton act={removeSnapshot(name)} label={`Delete ${name}`} />,
              },
            ]}
          />
        )}
      </Loaded>
    </Panel>
  )
}
