import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { ThemeSwitch } from '../explorer/theme/ThemeSwitch.tsx'
import { useLiveValues } from './model/liveValues.ts'
import type { OpenApi } from './model/OpenApi.ts'
import { type Family, type Operation, readFamily, searchOperations } from './model/Operation.ts'
import { OperationView } from './parts/OperationView.tsx'
import type { DocumentLink, ReferenceSetup } from './ReferenceSetup.ts'

type SidebarProps = {
  readonly families: readonly Family[]
  readonly shown: readonly Operation[]
  readonly current: string | undefined
  readonly isSearched: boolean
}

/** Every operation that is searched for, by interface and tag. On a phone it is folded until it is wanted. */
const Sidebar = ({ families, shown, current, isSearched }: SidebarProps) => {
  const [isUnfolded, unfold] = useState(false)
  useEffect(() => unfold(false), [current])
  const isOpen = isUnfolded || isSearched
  return (
    <nav class={`ref-nav ${isOpen ? 'is-open' : ''}`} aria-label="Operations">
      <button type="button" class="button ref-fold" aria-expanded={isOpen} onClick={() => unfold(!isUnfolded)}>
        Operations <span class="ref-faint">{shown.length}</span>
      </button>
      {shown.length === 0 && <p class="ref-faint">Nothing is called so.</p>}
      {families.map(({ api, title }) => {
        const own = shown.filter((operation) => operation.api === api)
        if (own.length === 0) return null
        return (
          <section key={api}>
            <h2>
              <a href={`#${api}`} aria-current={current === api ? 'page' : undefined}>
                {api} <span class="ref-faint">{title}</span>
              </a>
            </h2>
            {tagsOf(own).map((tag) => (
              <div key={tag}>
                <h3>{tag}</h3>
                <ul>
                  {own
                    .filter((operation) => operation.tag === tag)
                    .map(({ key, name }) => (
                      <li key={key}>
                        <a href={`#${key}`} aria-current={current === key ? 'page' : undefined}>
                          {name}
                        </a>
                      </li>
                    ))}
                </ul>
              </div>
            ))}
          </section>
        )
      })}
    </nav>
  )
}

const tagsOf = (operations: readonly Operation[]): string[] => [...new Set(operations.map(({ tag }) => tag))]

/** The descriptions of all interfaces that are served. */
const useDocuments = ({ base, documents }: ReferenceSetup) => {
  const [families, setFamilies] = useState<readonly Family[]>([])
  const [failure, setFailure] = useState<string>()
  useEffect(() => {
    Promise.all(documents.map((document) => load(base, document))).then(setFamilies, (error: unknown) =>
      setFailure(`The descriptions cannot be loaded: ${String(error)}`),
    )
  }, [base, documents])
  return { families, failure }
}

const load = async (base: string, { name, url }: DocumentLink): Promise<Family> => {
  const response = await fetch(`${base}${url}`)
  if (!response.ok) throw new Error(`${url} was answered with status ${response.status}.`)
  return readFamily(name, (await response.json()) as OpenApi)
}

/** What stands behind the # of the address: the key of an operation, or the name of an interface. */
const useHash = (): string | undefined => {
  const [hash, setHash] = useState(readHash)
  useEffect(() => {
    const read = (): void => {
      setHash(readHash())
      scrollTo(0, 0)
    }
    addEventListener('hashchange', read)
    return () => removeEventListener('hashchange', read)
  }, [])
  return hash === '' ? undefined : hash
}

const readHash = (): string => decodeURIComponent(location.hash.slice(1))

/** The page: a list to search, and what was chosen from it. */
export const Reference = ({ setup }: { readonly setup: ReferenceSetup }) => {
  const { families, failure } = useDocuments(setup)
  const current = useHash()
  const live = useLiveValues(setup)
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
          <a class="brand" href={`${setup.base}/`} title="To the explorer">
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
            <a href={`${setup.base}/`}>Explorer</a>
          </nav>
          {setup.hasBoth && <DialectSwitch setup={setup} hash={current} />}
          <div class="header-tools">
            <ThemeSwitch />
          </div>
        </div>
      </header>
      <div class="ref-columns">
        <Sidebar families={families} shown={shown} current={current} isSearched={wanted !== ''} />
        <main class="ref-main" id="main" tabIndex={-1}>
          {failure !== undefined && (
            <p class="ref-bad" role="alert">
              {failure}
            </p>
          )}
          {operation !== undefined && family !== undefined ? (
            <OperationView
              key={operation.key}
              operation={operation}
              family={family}
              apiKey={apiKey}
              live={live}
              setup={setup}
            />
          ) : (
            family !== undefined && <Overview family={family} />
          )}
        </main>
      </div>
    </div>
  )
}

type SwitchProps = { readonly setup: ReferenceSetup; readonly hash: string | undefined }

/** The same operation in the other spelling. */
const DialectSwitch = ({ setup, hash }: SwitchProps) => (
  <nav class="nav ref-dialects" aria-label="Dialect">
    {(['chain', 'ton'] as const).map((dialect) => (
      <a
        key={dialect}
        href={`${setup.base}${dialect === 'ton' ? '/ton' : ''}/docs${hash === undefined ? '' : `#${hash}`}`}
        aria-current={dialect === setup.dialect ? 'page' : undefined}
      >
        {dialect === 'ton' ? 'TON names' : 'Neutral names'}
      </a>
    ))}
  </nav>
)

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
