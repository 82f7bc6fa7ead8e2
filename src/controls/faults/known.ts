import { operations as api } from '../../client/operations.ts'
import { isControl, type Operation as WholeOperation } from '../../words/operation.ts'
import { nearest } from '../../words/validate.ts'
import { FaultInput } from './contract.ts'

/** As far as one is named: asked with every call, also before its schemas are loaded. */
type Operation = Pick<WholeOperation, 'id' | 'method' | 'path'>

const operations: readonly Operation[] = Object.values(api).flatMap((verbs) => Object.values(verbs))
const faultable = operations.filter((operation) => !isControl(operation))

const routeOf = ({ method, path }: Operation) => `${method.toUpperCase()} ${path}`
const familyOf = ({ id }: Operation) => `${id.slice(0, id.indexOf('.'))}.*`

/** Where one call has one name, however its parameters are called. */
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

/** The operations of the service that a name stands for; none of the control plane is among them. */
export const operationsNamed = (name: string): readonly Operation[] =>
  faultable.filter((operation) => namesOf(operation).includes(shapeOf(canonical(name))))

const isOfControl = (name: string) =>
  name.includes('/_sandbox') ||
  operations.some((operation) => isControl(operation) && namesOf(operation).slice(0, 2).includes(name))

/** A fault whose routes all exist; an unknown one is refused with the nearest. */
export const KnownFault = FaultInput.check(({ value, issues }) => {
  for (const [i, name] of (value.routes ?? []).entries()) {
    if (operationsNamed(name).length > 0) continue
    issues.push({
      code: 'custom',
      input: name,
      message: strange(name),
      params: { code: 'unknown_route' },
      path: ['routes', i],
    })
  }
})

function strange(name: string): string {
  const said = name.slice(0, 100)
  if (isOfControl(name)) return `"${said}" is of the control plane, which no fault can meet, so that it can be undone`
  const near = nearestRoute(canonical(name))
  return `there is no route "${said}"${near ? `, did you mean "${near}"?` : '; docs/api.md lists them, and * is every one'}`
}

function nearestRoute(name: string): string | undefined {
  // An id in the place of a parameter.
  const meant = faultable.find((operation) => asPattern(routeOf(operation)).test(name))
  if (meant) return routeOf(meant)
  return nearest(name, [
    ...new Set(faultable.flatMap((operation) => [operation.id, familyOf(operation), routeOf(operation)])),
  ])
}

const asPattern = (route: string) => new RegExp(`^${route.replace(/\{\w+\}/g, '[^/]+')}$`)
