import { apiKeyOf, DEFAULT_NAMESPACE } from '../../words/api-key.ts'
import { FILE_NAME_FAULT } from '../../words/file-name.ts'
import { unknownNamespace } from '../api/client.ts'
import { isShared, namespace } from '../api/namespace.ts'
import { commandOf } from '../api/page-action.ts'
import { hrefOf, place } from '../api/place.ts'
import { useCall } from '../api/read.ts'
import { token } from '../api/token.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { Loaded, PageHead, Panel } from '../ui/parts.tsx'
import { create } from '../worlds/actions.ts'

/** Whether the address names a namespace that does not exist, or that none can have. */
export const isUnknown = (): boolean =>
  place.value.invalidNamespace !== undefined || unknownNamespace.value === namespace.value

/** Reading creates no namespace, so one that does not exist is reported. */
export function UnknownNamespace() {
  const { invalidNamespace } = place.value
  const name = invalidNamespace ?? namespace.value
  const read = useCall(['namespaces', 'list'], { everyMs: 2_000 })
  return (
    <>
      <PageHead title={`Unknown namespace ${name}`} />
      <Panel title="Namespaces of this sandbox">
        {token.confinedTo ? (
          <p>
            Your control token opens the namespace <code>{token.confinedTo}</code> only.
          </p>
        ) : (
          <p>
            {invalidNamespace === undefined ? (
              <>
                This sandbox has no namespace <code>{name}</code>. It may have been deleted, or its name is misspelt.{' '}
                {isShared.value ? (
                  <>
                    The administrator creates it with{' '}
                    <code>{commandOf({ words: `namespaces create ${name}`, as: DEFAULT_NAMESPACE })}</code>.
                  </>
                ) : (
                  <>
                    The first request with the key <code>{apiKeyOf(name)}</code> creates it.
                  </>
                )}
              </>
            ) : (
              `No namespace can have this name: it ${FILE_NAME_FAULT}.`
            )}
          </p>
        )}
        <Loaded read={read}>
          {({ namespaces }) => (
            <ul class="chips-line">
              {namespaces.map((one) => (
                <li key={one.name}>
                  <a class="filter-chip" href={hrefOf({ namespace: one.name, page: 'messages' })}>
                    {one.name}
                  </a>
                </li>
              ))}
            </ul>
          )}
        </Loaded>
        <p class="choices">
          {token.confinedTo ? (
            <button type="button" class="button" onClick={() => token.set('')}>
              Use another token
            </button>
          ) : (
            !isShared.value &&
            invalidNamespace === undefined && (
              <ActionButton act={create(name)} describe={() => `Created ${name}.`}>
                Create {name}
              </ActionButton>
            )
          )}
        </p>
      </Panel>
    </>
  )
}
