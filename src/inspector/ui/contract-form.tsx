import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { OperationInfo } from '../../client/call.ts'
import { isRecord } from '../../words/json.ts'
import { effectOf, pathNames } from '../../words/operation.ts'
import { setAt, valueAt } from '../../words/path.ts'
import { targetOf } from '../../words/request-target.ts'
import { shellWord } from '../../words/shell.ts'
import { type FieldProblem, operationOf, problemsOf } from '../api/client.ts'
import { useDraft } from '../api/draft.ts'
import type { Describe } from '../api/outcome.ts'
import type { PageAction } from '../api/page-action.ts'
import { useRead } from '../api/read.ts'
import { type FormField, fieldsOf } from '../api/schema.ts'
import { ActionButton } from './action-button.tsx'
import { ContractField, isSecret } from './contract-field.tsx'
import { isCollection, parsed, textOf, typedText } from './field-text.ts'
import { chosenFields, type FieldChoice } from './form-fields.ts'
import { Loaded, Refused } from './parts.tsx'

interface Props {
  noun: string
  verb: string
  /** Values of path parameters and other fields that the form does not show. */
  fixed?: Readonly<Record<string, unknown>>
  /** The values to begin with. A PATCH sends only what differs from them. */
  initial?: Readonly<Record<string, unknown>>
  only?: FieldChoice['only']
  without?: FieldChoice['without']
  /** Objects whose fields the service keeps unless they are null. */
  merged?: readonly string[]
  button: string
  describe?: Describe
  then?: (answer: never) => void
  /** Closes the form of a dialog. Without it the form stays, with what was typed. */
  cancel?: () => void
}

/** A form for an operation. Fields, hints and choices come from its contract. */
export function ContractForm(props: Props) {
  const operation = operationOf(props.noun as never, props.verb as never)
  const read = useRead(`form ${operation.id}`, () => fieldsOf(operation), { when: () => false })
  return <Loaded read={read}>{(fields) => <Form {...props} operation={operation} fields={fields} />}</Loaded>
}

const NONE = {}

type Texts = Readonly<Record<string, string>>

function Form({
  operation,
  fields,
  fixed = {},
  initial = NONE,
  only,
  without,
  merged,
  button,
  describe,
  then,
  cancel,
}: Props & { operation: OperationInfo; fields: readonly FormField[] }) {
  const id = useId()
  // The API console has drafts of its own.
  const place = cancel ? 'dialog' : 'form'
  const [texts, setTexts] = useDraft<Texts>(`${place} ${operation.id} ${Object.values(fixed)}`, NONE)
  const isTyped = Object.keys(texts).length > 0
  const [wasTyped] = useState(isTyped)
  const [refusal, setRefusal] = useState<Error>()
  const { shown, more } = chosenFields(fields, { only, without, fixed })
  const all = [...shown, ...more]
  const initialText = (field: FormField) => textOf(valueAt(initial, field.name), field)
  const textIn = (field: FormField) => texts[field.name] ?? initialText(field)
  const isChange = operation.method === 'patch'
  const values: Record<string, unknown> = { ...fixed }
  const broken: FieldProblem[] = []
  for (const field of all) {
    const before = initialText(field)
    const text = typedText(field, textIn(field))
    if (isChange && text === before && !field.isRequired) continue
    if (text !== '' || (isChange && isCollection(field)))
      try {
        const value = parsed(field, text)
        setAt(
          values,
          field.name,
          merged?.includes(field.name) ? withRemoved(valueAt(initial, field.name), value) : value,
        )
      } catch (error) {
        broken.push({ field: field.name, message: (error as Error).message })
      }
    else if (field.isNullable && before !== '') setAt(values, field.name, null)
    else if (isChange) broken.push({ field: field.name, message: 'cannot be empty.' })
  }
  const isUnchanged =
    isChange && initial !== NONE && all.every((field) => typedText(field, textIn(field)) === initialText(field))
  const missing = all.filter(({ name, isRequired }) => isRequired && valueAt(values, name) === undefined)
  const refusedFields = problemsOf(refusal)
  const details = [...broken, ...refusedFields]
  const of = (name: string) =>
    details.filter(({ field }) => field === name || field.startsWith(`${name}.`) || field.startsWith(`${name}[`))
  const other = details.filter(({ field }) => !all.some(({ name }) => of(name).some((one) => one.field === field)))
  const rowOf = (field: FormField) => (
    <ContractField
      key={field.name}
      id={`${id}-${field.name}`}
      field={field}
      text={textIn(field)}
      set={(text) => {
        const { [field.name]: _, ...others } = texts
        // What was put back is not sent later over a newer value.
        setTexts(text === initialText(field) ? others : { ...others, [field.name]: text })
        setRefusal(undefined)
      }}
      problems={of(field.name)}
    />
  )
  const form = useRef<HTMLFormElement>(null)
  // Its fields are read after the dialog has opened.
  useLayoutEffect(() => {
    if (cancel) form.current!.querySelector<HTMLElement>('input, select, textarea')?.focus()
  }, [])
  return (
    <form class="contract-form" ref={form} onSubmit={(event) => event.preventDefault()}>
      {cancel && wasTyped && isTyped && (
        <p class="note">
          Your input from before, which was not sent{all.some(isSecret) && ', without secrets'}. Cancel discards it.
        </p>
      )}
      {shown.map(rowOf)}
      {more.length > 0 && (
        <details class="more-fields" open={more.some((field) => textIn(field) !== '' || of(field.name).length > 0)}>
          <summary>More fields ({more.length})</summary>
          <div>{more.map(rowOf)}</div>
        </details>
      )}
      {refusal && (other.length > 0 || refusedFields.length === 0) && <Refused>{refusal.message}</Refused>}
      <p class="choices">
        <ActionButton
          act={apiAction(operation, values, fields)}
          kind="main"
          submits
          because={
            broken.length > 0
              ? 'Correct the marked fields.'
              : missing.length > 0
                ? `Fill in ${missing.map(({ name }) => name).join(', ')}.`
                : isUnchanged
                  ? 'Change a field first.'
                  : undefined
          }
          confirm={
            effectOf(operation) === 'destroys'
              ? { title: `${operation.summary}?`, lost: `${operation.details ?? ''} This cannot be undone.` }
              : undefined
          }
          describe={describe}
          then={(answer) => {
            setRefusal(undefined)
            if (cancel) setTexts(undefined)
            then?.(answer)
          }}
          refused={setRefusal}
        >
          {button}
        </ActionButton>
        {(cancel || isTyped) && (
          <button
            type="button"
            class="button"
            onClick={() => {
              setTexts(undefined)
              setRefusal(undefined)
              cancel?.()
            }}
          >
            {cancel ? 'Cancel' : 'Clear form'}
          </button>
        )}
      </p>
    </form>
  )
}

/** The action of any operation; its command is the raw call. */
function apiAction(
  { method, path }: { method: string; path: string },
  values: Readonly<Record<string, unknown>>,
  fields: readonly Pick<FormField, 'name' | 'place'>[],
): PageAction {
  const pick = (place: FormField['place']) =>
    Object.fromEntries(
      fields.filter((one) => one.place === place && one.name in values).map(({ name }) => [name, values[name]]),
    )
  // Until a parameter is filled in, its name stands for it.
  const params = { ...Object.fromEntries(pathNames(path).map((name) => [name, name.toUpperCase()])), ...pick('path') }
  const target = targetOf(path, params, pick('query'))
  const hasBody = fields.some(({ place }) => place === 'body')
  const body = hasBody ? pick('body') : undefined
  const verb = method.toUpperCase()
  const words = ['api', verb, shellWord(target), ...(body ? ['--data', quotedBody(body)] : [])]
  return { words: words.join(' '), request: { method: verb, path: target, body } }
}

/** A secret in a command would stay in the history of a shell, so a variable stands for it. */
const quotedBody = (body: Readonly<Record<string, unknown>>): string =>
  'secret' in body
    ? shellWord(JSON.stringify({ ...body, secret: '$SECRET' })).replace('"secret":"$SECRET"', `"secret":"'"$SECRET"'"`)
    : shellWord(JSON.stringify(body))

/** The object with null for each field that was removed. */
const withRemoved = (before: unknown, after: unknown): unknown =>
  isRecord(before) && isRecord(after)
    ? { ...Object.fromEntries(Object.keys(before).map((name) => [name, null])), ...after }
    : after
