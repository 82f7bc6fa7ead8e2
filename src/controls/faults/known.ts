import { brokenFields } from '../../words/broken-fields.ts'
import { isControl, type Operation as WholeOperation } from '../../words/operation.ts'
import type { Detail } from '../../words/problem.ts'
import { nearest } from '../../words/validate.ts'
import type { FaultInput } from './contract.ts'

/** As far as one is named: asked with every call, also before its schemas are loaded. */
type Operation = Pick<WholeOperation, 'id' | 'method' | 'path'>

const routeOf = ({ method, path }: Operation) => `${method.toUpperCase()} ${path}`
const familyOf = ({ id }: Pick<Operation, 'id'>) => `${id.slice(0, id.indexOf('.'))}.*`

/** Gives a path one name, however its parameters are called. */
const shapeOf = (path: string) => path.replace(/\{[^}/]*\}|:\w+/g, '{}').replace(/\/$/, '')

/** `post:/v1/messages` → `POST /v1/messages`; what is no path stays. */
function canonical(name: string): string {
  const [, method, path] = /^([a-z]+)\s*[:\s]\s*(\/.*)$/i.exec(name.trim()) ?? []
  return path === undefined ? name.trim() : `${method!.toUpperCase()} ${path}`
}

/** Every name under which an operation can be met. */
const namesOf = (operation: Operation): string[] => [
  operation.id,
  familyOf(operation),
  '*',
  shapeOf(routeOf(operation)),
  shapeOf(operation.path),
]

/** Says whether a name stands for an operation of the service; it stands for none of the control plane. */
export const standsFor = (name: string, operation: Operation): boolean =>
  !isControl(operation) && namesOf(operation).includes(shapeOf(canonical(name)))

/** Refuses routes that do not exist, with the nearest that does. */
export function refuseUnknownRoutes({ routes = [] }: FaultInput, operations: readonly Operation[]) {
  const details = routes.flatMap((name, i): Detail[] =>
    operations.some((operation) => standsFor(name, operation))
      ? []
      : [{ field: `routes[${i}]`, code: 'unknown_route', message: strange(name, operations) }],
  )
  if (details.length > 0) throw brokenFields(details, 'fault')
}

function isOfControl(name: string, operations: readonly Operation[]): boolean {
  if (name.includes('/_sandbox')) return true
  const family = operations.filter((operation) => familyOf(operation) === familyOf({ id: name }))
  // Some of the control plane's are the server's own and not known here; their family is.
  return family.length > 0 && (family.some(({ id }) => id === name) || family.every(isControl))
}

function strange(name: string, operations: readonly Operation[]): string {
  const said = name.slice(0, 100)
  if (isOfControl(name, operations))
    return `"${said}" is of the control plane, which no fault can meet, so that it can be undone`
  const near = nearestRoute(
    canonical(name),
    operations.filter((operation) => !isControl(operation)),
  )
  return `there is no route "${said}"${near ? `, did you mean "${near}"?` : '; docs/api.md lists them, and * is every one'}`
}

function nearestRoute(name: string, faultable: readonly Operation[]): string | undefined {
  // An id in the place of a parameter.
  const meant = faultable.find((operation) => asPattern(routeOf(operation)).test(name))
  if (meant) return routeOf(meant)
  return nearest(name, [
    ...new Set(faultable.flatMap((operation) => [operation.id, familyOf(operation), routeOf(operation)])),
  ])
}

const asPattern = (route: string) => new RegExp(`^${route.replace(/\{\w+\}/g, '[^/]+')}$`)
