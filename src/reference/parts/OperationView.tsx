import { useEffect, useMemo, useState } from 'preact/hooks'
import { CopyButton, type Tab, Tabs } from '../../explorer/parts/basics.tsx'
import type { LiveValues } from '../model/liveValues.ts'
import type { Schema, Schemas } from '../model/OpenApi.ts'
import {
  type Answer,
  describeType,
  type Family,
  findExample,
  follow,
  formatValue,
  type Operation,
} from '../model/Operation.ts'
import { type Typed, toCurl, toRequest, toTypeScript } from '../model/Request.ts'
import { toGo, toPython } from '../model/snippets.ts'
import type { ReferenceSetup } from '../ReferenceSetup.ts'
import { Coloured } from './Coloured.tsx'
import { Json, type Outcome, OutcomeView, ParameterFields, pretty, send } from './TryIt.tsx'

type TreeProps = { readonly schema: Schema; readonly schemas: Schemas }

/** The members of what is answered, those of each opened when asked for: some contain themselves. */
const SchemaTree = ({ schema, schemas }: TreeProps) => {
  const { properties, required = [], note } = membersOf(schema, schemas)
  if (properties === undefined) return <p class="ref-type">{describeType(schema, schemas)}</p>
  return (
    <ul class="ref-tree">
      {note !== undefined && <li class="ref-note">{note}</li>}
      {Object.entries(properties).map(([name, member]) => (
        <Member key={name} name={name} schema={member} schemas={schemas} isOptional={!required.includes(name)} />
      ))}
    </ul>
  )
}

const Member = ({
  name,
  schema,
  schemas,
  isOptional,
}: TreeProps & { readonly name: string; readonly isOptional: boolean }) => {
  const [isOpen, setOpen] = useState(false)
  const { description, examples } = follow(schema, schemas)
  const hasMore = membersOf(schema, schemas).properties !== undefined
  const label = (
    <>
      <code>{name}</code> <span class="ref-type">{describeType(schema, schemas)}</span>
      {isOptional && <span class="ref-faint"> may be absent</span>}
    </>
  )
  return (
    <li>
      {hasMore ? (
        <button type="button" class="ref-fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {label}
        </button>
      ) : (
        <span class="ref-leaf">{label}</span>
      )}
      {description !== undefined && <span class="ref-faint"> {description}</span>}
      {examples?.[0] !== undefined && <span class="ref-faint ref-example"> such as {formatValue(examples[0])}</span>}
      {isOpen && <SchemaTree schema={schema} schemas={schemas} />}
    </li>
  )
}

type Members = { readonly properties?: Schemas; readonly required?: readonly string[]; readonly note?: string }

/** What can be opened: the members of an object, of the items of a list, of what may be null, of a table by key. */
const membersOf = (schema: Schema, schemas: Schemas): Members => {
  const whole = follow(schema, schemas)
  if (whole.properties !== undefined && Object.keys(whole.properties).length > 0) {
    return { properties: whole.properties, ...(whole.required !== undefined && { required: whole.required }) }
  }
  if (whole.items !== undefined) return membersOf(whole.items, schemas)
  if (whole.anyOf !== undefined) {
    const some = whole.anyOf
      .map((each) => membersOf(each, schemas))
      .filter(({ properties }) => properties !== undefined)
    return some.length > 1 ? { ...some[0], note: `The first of ${some.length} shapes.` } : (some[0] ?? {})
  }
  const values = whole.patternProperties?.[Object.keys(whole.patternProperties)[0] ?? ''] ?? whole.additionalProperties
  return typeof values === 'object' ? { properties: { '(any key)': values }, required: ['(any key)'] } : {}
}

type ViewProps = {
  readonly operation: Operation
  readonly family: Family
  readonly apiKey: string
  readonly live: LiveValues
  readonly setup: ReferenceSetup
}

type Language = 'curl' | 'typescript' | 'python' | 'go'

const languages: readonly Tab<Language>[] = [
  { key: 'curl', title: 'curl' },
  { key: 'typescript', title: 'TypeScript' },
  { key: 'python', title: 'Python' },
  { key: 'go', title: 'Go' },
]

/** One operation: what it is for, what it takes, a form to try it, what it answers. */
export const OperationView = ({ operation, family, apiKey, live, setup: { base, dialect } }: ViewProps) => {
  const { schemas } = family
  const [typed, setTyped] = useState<Typed>({})
  const [language, setLanguage] = useState<Language>('curl')
  const request = useMemo(() => toRequest(operation, typed, schemas), [operation, typed, schemas])
  const { outcome, failure, isSending, trySending } = useSending()
  const origin = `${location.origin}${base}`
  const hasKey = apiKey !== ''
  const example = useMemo(() => exampleOf(operation, live, schemas), [operation, live, schemas])
  // Until something is typed, snippets have what the example has.
  const isTyped = Object.values(typed).some((value) => value !== '')
  const values = isTyped ? typed : (example ?? typed)
  const asked = isTyped ? request : toRequest(operation, values, schemas)
  const snippet = {
    curl: () => toCurl(asked, origin, hasKey),
    typescript: () => toTypeScript(operation, values, schemas, { origin, hasKey, dialect }),
    python: () => toPython(asked, origin, hasKey),
    go: () => toGo(asked, origin, hasKey),
  }[language]()
  return (
    <article aria-labelledby="operation-name">
      <h1 id="operation-name">{operation.name}</h1>
      <p class="ref-path">
        {operation.methods.map((method) => (
          <span key={method} class={`ref-method ref-${method.toLowerCase()}`}>
            {method}
          </span>
        ))}
        <code>{`${base}${operation.path}`}</code>
      </p>
      <p>{operation.summary}</p>
      {operation.description !== undefined && <p>{operation.description}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void trySending(() => send(request, base, apiKey))
        }}
      >
        <h2>Parameters</h2>
        <ParameterFields
          parameters={operation.parameters}
          schemas={schemas}
          typed={typed}
          live={live}
          onType={(name, value) => setTyped((before) => ({ ...before, [name]: value }))}
        />
        <button type="submit" class="button is-main ref-send" disabled={isSending}>
          {isSending ? 'Sending…' : 'Send the request'}
        </button>
      </form>
      {failure !== undefined && (
        <p class="ref-bad" role="alert">
          {failure}
        </p>
      )}
      {outcome !== undefined && <OutcomeView outcome={outcome} />}
      <h2>In a program</h2>
      <div class="ref-snippet">
        <Tabs tabs={languages} current={language} label="Language" onChange={(key: Language) => setLanguage(key)} />
        <CopyButton text={snippet} what="the snippet" />
        <pre data-snippet={language}>
          <Coloured text={snippet} />
        </pre>
      </div>
      {example !== undefined && <ExampleAnswer operation={operation} base={base} example={example} schemas={schemas} />}
      <h2>Answers</h2>
      {operation.responses.map((answer) => (
        <AnswerView key={answer.status} answer={answer} family={family} />
      ))}
    </article>
  )
}

/** Arguments that work on this network; `undefined` unless everything required is known. */
const exampleOf = ({ methods, parameters }: Operation, live: LiveValues, schemas: Schemas): Typed | undefined => {
  if (!methods.includes('GET') || Object.keys(live).length === 0) return undefined
  const chosen = parameters.filter(({ name, isRequired }) => isRequired || name === 'account' || name === 'limit')
  const entries = chosen.map(({ name, schema }) => [
    name,
    name === 'limit' ? '2' : (live[name] ?? findExample(schema, schemas)),
  ])
  return entries.every(([, value]) => value !== undefined) ? Object.fromEntries(entries) : undefined
}

type ExampleProps = Pick<ReferenceSetup, 'base'> & {
  readonly operation: Operation
  readonly example: Typed
  readonly schemas: Schemas
}

/** What this server answers to the example. */
const ExampleAnswer = ({ operation, base, example, schemas }: ExampleProps) => {
  const [outcome, setOutcome] = useState<Outcome>()
  useEffect(() => {
    // The form says it if the server is away.
    send(toRequest(operation, example, schemas), base, '').then(setOutcome, () => {})
  }, [operation, base, example, schemas])
  if (outcome === undefined || outcome.status !== 200) return null
  return (
    <section aria-label="Example">
      <h2>Example answer</h2>
      <Json text={pretty(outcome.text)} />
    </section>
  )
}

const AnswerView = ({ answer, family }: { readonly answer: Answer; readonly family: Family }) => {
  const [isOpen, setOpen] = useState(answer.status === '200')
  return (
    <section class="ref-answers">
      <button type="button" class="ref-fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span class={answer.status < '400' ? 'ref-good' : 'ref-bad'}>{answer.status}</span> {answer.description}
      </button>
      {isOpen && answer.schema !== undefined && <SchemaTree schema={answer.schema} schemas={family.schemas} />}
    </section>
  )
}

const useSending = () => {
  const [outcome, setOutcome] = useState<Outcome>()
  const [failure, setFailure] = useState<string>()
  const [isSending, setSending] = useState(false)
  const trySending = async (make: () => Promise<Outcome>): Promise<void> => {
    setSending(true)
    setFailure(undefined)
    try {
      setOutcome(await make())
    } catch (error) {
      setFailure(`The server cannot be reached: ${String(error)}`)
    }
    setSending(false)
  }
  return { outcome, failure, isSending, trySending }
}
