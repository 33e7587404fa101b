import type { Family, Operation } from '../model/Operation.ts'

type SidebarProps = {
  readonly families: readonly Family[]
  readonly shown: readonly Operation[]
  readonly current: string | undefined
}

/** Every operation that is searched for, by interface and tag. */
export const Sidebar = ({ families, shown, current }: SidebarProps) => (
  <nav class="ref-nav" aria-label="Operations">
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

const tagsOf = (operations: readonly Operation[]): string[] => [...new Set(operations.map(({ tag }) => tag))]
