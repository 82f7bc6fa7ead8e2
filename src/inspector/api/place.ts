import { effect, signal } from '@preact/signals'
import { DEFAULT_NAMESPACE } from '../../words/api-key.ts'
import { decodeUri } from '../../words/decode-uri.ts'
import { PATTERN } from '../../words/file-name.ts'

/**
 * The address `#/<namespace>/<page>/<id>?<query>`. Behind the hash, so that the server has one page and never sees ids.
 */
export interface Place {
  namespace: string
  /** What the address has instead of a name that a namespace can have. */
  invalidNamespace: string | undefined
  page: string
  id: string | undefined
  query: Readonly<Record<string, string>>
}

export function parsePlace(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  const [namespace = '', page, id] = path.split('/').map(decodeUri)
  const isValid = PATTERN.test(namespace)
  return {
    namespace: isValid ? namespace : DEFAULT_NAMESPACE,
    invalidNamespace: isValid || namespace === '' ? undefined : namespace,
    page: page || 'messages',
    // No record has a name that would change the path of a request.
    id: id && !/^\.+$/.test(id) ? id : undefined,
    query: withoutToken(Object.fromEntries(new URLSearchParams(query))),
  }
}

/** The token of `sandbox open` is not a part of a place: a page passes its query on to the server. */
const withoutToken = ({ token: _, ...query }: Record<string, string>) => query

type Target = Partial<Omit<Place, 'query' | 'invalidNamespace'>> & {
  query?: Readonly<Record<string, string | undefined>>
}

/** Builds an address. Missing parts stay unchanged, except id and query. */
export function hrefOf({ namespace = place.value.namespace, page = place.value.page, id, query = {} }: Target): string {
  const fields = Object.entries(query).filter((entry): entry is [string, string] => !!entry[1])
  const search = fields.length > 0 ? `?${new URLSearchParams(fields)}` : ''
  const steps = [namespace, page, ...(id === undefined ? [] : [id])]
  return `#/${steps.map(encodeURIComponent).join('/')}${search}`
}

export const place = signal<Place>(parsePlace(globalThis.location?.hash ?? ''))

/** The last query of each list, by namespace and page. */
const queries = new Map<string, Place['query']>()
effect(() => {
  const { namespace, page, id, query } = place.value
  if (id === undefined) queries.set(`${namespace} ${page}`, query)
})

/** The list of a page with the filters that it had last. */
export const listOf = (page: string): string =>
  hrefOf({ page, query: queries.get(`${place.value.namespace} ${page}`) ?? {} })

/** The query of the list beside which a record is shown. */
export function listQuery(): Record<string, string> {
  const { selected: _, ...query } = place.value.query
  return query
}

export function go(target: Target, { replace = false } = {}) {
  if (replace) {
    history.replaceState(null, '', hrefOf(target))
    place.value = parsePlace(location.hash)
  } else location.hash = hrefOf(target)
}

/** Calls `arrive` with each new address before the page reads it. */
export function followAddress(arrive: () => void) {
  const read = () => {
    arrive()
    place.value = parsePlace(location.hash)
  }
  read()
  addEventListener('hashchange', read)
}
