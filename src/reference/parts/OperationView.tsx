import { useMemo, useState } from 'preact/hooks'
import { CopyButton } from '../../explorer/parts/CopyButton.tsx'
import { type Tab, Tabs } from '../../explorer/parts/Tabs.tsx'
import type { Answer, Family, Operation } from '../model/Operation.ts'
import { type Typed, toCurl, toRequest, toTypeScript } from '../model/Request.ts'
import { ParameterFields } from './ParameterFields.tsx'
import { SchemaTree } from './SchemaTree.tsx'
import { type Outcome, OutcomeView, send } from './TryIt.tsx'

type ViewProps = { readonly operation: Operation; readonly family: Family; readonly apiKey: string }

type Language = 'curl' | 'typescript'

const languages: readonly Tab<Language>[] = [
  { key: 'curl', title: 'curl' },
  { key: 'typescript', title: 'TypeScript' },
]

/** One operation: what it is for, what it takes, a form to try it, what it answers. */
export const OperationView = ({ operation, family, apiKey }: ViewProps) => {
  const { schemas } = family
  const [typed, setTyped] = useState<Typed>({})
  const [language, setLanguage] = useState<Language>('curl')
  const request = useMemo(() => toRequest(operation, typed, schemas), [operation, typed, schemas])
  const { outcome, failure, isSending, trySending } = useSending()
  const { origin } = location
  const snippet =
    language === 'curl'
      ? toCurl(request, origin, apiKey !== '')
      : toTypeScript(operation, typed, schemas, origin, apiKey !== '')
  return (
    <article aria-labelledby="operation-name">
      <h1 id="operation-name">{operation.name}</h1>
      <p class="ref-path">
        {operation.methods.map((method) => (
          <span key={method} class={`ref-method ref-${method.toLowerCase()}`}>
            {method}
          </span>
        ))}
        <code>{operation.path}</code>
      </p>
      <p>{operation.summary}</p>
      {operation.description !== undefined && <p>{operation.description}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void trySending(() => send(request, apiKey))
        }}
      >
        <h2>Parameters</h2>
        <ParameterFields
          parameters={operation.parameters}
          schemas={schemas}
          typed={typed}
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
        <pre data-snippet={language}>{snippet}</pre>
      </div>
      <h2>Answers</h2>
      {operation.responses.map((answer) => (
        <AnswerView key={answer.status} answer={answer} family={family} />
      ))}
    </article>
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
