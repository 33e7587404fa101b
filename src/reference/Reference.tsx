import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { ThemeSwitch } from '../explorer/theme/ThemeSwitch.tsx'
import { type Family, searchOperations } from './model/Operation.ts'
import { OperationView } from './parts/OperationView.tsx'
import { Sidebar } from './parts/Sidebar.tsx'
import type { ReferenceSetup } from './ReferenceSetup.ts'
import { useDocuments } from './useDocuments.ts'
import { useHash } from './useHash.ts'

/** The page: a list to search, and what was chosen from it. */
export const Reference = ({ setup }: { readonly setup: ReferenceSetup }) => {
  const { families, failure } = useDocuments(setup.documents)
  const current = useHash()
  const [wanted, setWanted] = useState('')
  const [apiKey, setApiKey] = useState('')
  const shown = useMemo(() => searchOperations(families, wanted), [families, wanted])
  const search = useSearchKeys(() => shown[0]?.key)
  const operation = families.flatMap(({ operations }) => operations).find(({ key }) => key === current)
  const family = families.find(({ api }) => api === (operation?.api ?? current)) ?? families[0]
  return (
    <div class="ref">
      <header class="header">
        <div class="header-row ref-row">
          <a class="brand" href="/" aria-label="chaincenter, to the explorer">
            <span class="brand-mark" />
            <span class="brand-name">chaincenter</span>
            <span class="network">API {setup.version}</span>
          </a>
          <input
            ref={search}
            type="search"
            class="ref-search"
            placeholder="Search ( / )"
            aria-label="Search operations"
            value={wanted}
            onInput={({ currentTarget }) => setWanted(currentTarget.value)}
          />
          <input
            type="password"
            class="ref-key"
            placeholder="API key, where one is needed"
            aria-label="API key"
            autocomplete="off"
            value={apiKey}
            onInput={({ currentTarget }) => setApiKey(currentTarget.value)}
          />
          <nav class="nav" aria-label="Pages">
            <a href="/">Explorer</a>
          </nav>
          <div class="header-tools">
            <ThemeSwitch />
          </div>
        </div>
      </header>
      <div class="ref-columns">
        <Sidebar families={families} shown={shown} current={current} />
        <main class="ref-main" id="main" tabIndex={-1}>
          {failure !== undefined && (
            <p class="ref-bad" role="alert">
              {failure}
            </p>
          )}
          {operation !== undefined && family !== undefined ? (
            <OperationView key={operation.key} operation={operation} family={family} apiKey={apiKey} />
          ) : (
            family !== undefined && <Overview family={family} />
          )}
        </main>
      </div>
    </div>
  )
}

const Overview = ({ family }: { readonly family: Family }) => (
  <article>
    <h1>{family.title}</h1>
    <p>{family.description}</p>
    <p class="ref-faint">
      Version {family.version}, {family.operations.length} operations. Keys: / searches, Enter opens the first that is
      found.
    </p>
    <table class="ref-list">
      <tbody>
        {family.operations.map(({ key, name, summary }) => (
          <tr key={key}>
            <td>
              <a href={`#${key}`}>{name}</a>
            </td>
            <td>{summary}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </article>
)

/** A slash anywhere begins a search, Enter opens the first that is found, Escape ends it. */
const useSearchKeys = (findFirst: () => string | undefined) => {
  const field = useRef<HTMLInputElement>(null)
  const first = useRef(findFirst)
  first.current = findFirst
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)
      if (event.key === '/' && !isTyping) {
        event.preventDefault()
        field.current?.focus()
      }
      if (event.target !== field.current) return
      if (event.key === 'Escape') field.current?.blur()
      const key = first.current()
      if (event.key === 'Enter' && key !== undefined) {
        location.hash = key
        document.getElementById('main')?.focus()
      }
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  return field
}
