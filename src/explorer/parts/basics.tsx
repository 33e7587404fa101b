import type { ComponentChildren, ComponentType, TargetedKeyboardEvent } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Pages } from '../live/usePolling.ts'

export type Tone = 'good' | 'bad' | 'warn' | 'pending' | 'plain' | 'accent'

export const Badge = ({
  tone = 'plain',
  title,
  children,
}: {
  readonly tone?: Tone
  readonly title?: string | undefined
  readonly children: ComponentChildren
}) => (
  <span class={`badge is-${tone}`} title={title}>
    {children}
  </span>
)

type CardProps = {
  readonly title?: ComponentChildren
  readonly aside?: ComponentChildren
  readonly class?: string
  readonly children: ComponentChildren
}

export const Card = ({ title, aside, class: className = '', children }: CardProps) => (
  <section class={`card ${className}`}>
    {title !== undefined && (
      <header class="card-head">
        <h2>{title}</h2>
        {aside !== undefined && <div class="card-aside">{aside}</div>}
      </header>
    )}
    {children}
  </section>
)

export type Fact = readonly [label: string, value: ComponentChildren]

/** A table of names and values; rows without a value are omitted. */
export const Facts = ({ facts }: { readonly facts: readonly (Fact | undefined | false)[] }) => (
  <dl class="facts">
    {facts.map((fact) =>
      fact === undefined || fact === false ? null : (
        <div key={fact[0]}>
          <dt>{fact[0]}</dt>
          <dd>{fact[1]}</dd>
        </div>
      ),
    )}
  </dl>
)

const paths = {
  search: 'M11 11l3.5 3.5M12.5 7.25a5.25 5.25 0 11-10.5 0 5.25 5.25 0 0110.5 0z',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  check: 'M3 8.5l3.5 3.5L13 4.5',
  cross: 'M4 4l8 8M12 4l-8 8',
  sun: 'M8 5a3 3 0 100 6 3 3 0 000-6zM8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7',
  moon: 'M13.5 9.5A6 6 0 016.5 2.5a5.8 5.8 0 107 7z',
  auto: 'M8 2a6 6 0 100 12A6 6 0 008 2zM8 2v12M8 5l3.6-.8M8 8h6M8 11l3.6.8',
  keys: 'M1.5 4.5h13v7h-13zM4 7h.5M7 7h.5M10 7h.5M5 9.2h6',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  arrow: 'M3 8h10M9 4l4 4-4 4',
  back: 'M13 8H3M7 4L3 8l4 4',
  drop: 'M8 2c2.5 3 4 5 4 7a4 4 0 11-8 0c0-2 1.5-4 4-7z',
  send: 'M14 2L2 7l5 2 2 5z',
  block: 'M8 1.8l5.5 3v6.4L8 14.2l-5.5-3V4.8zM2.5 4.8L8 8l5.5-3.2M8 8v6.2',
  account: 'M8 8a2.75 2.75 0 100-5.5A2.75 2.75 0 008 8zM2.75 13.5c.6-2.3 2.6-3.5 5.25-3.5s4.65 1.2 5.25 3.5',
  transaction: 'M2.5 5.5h10M9.5 2.5l3 3-3 3M13.5 10.5h-10M6.5 7.5l-3 3 3 3',
  tree: 'M4.5 8h3M7.5 8V4h3M7.5 8v4h3M2 6.5h2.5v3H2zM10.5 2.5H14v3h-3.5zM10.5 10.5H14v3h-3.5z',
  globe: 'M8 2a6 6 0 100 12A6 6 0 008 2zM2.2 8h11.6M8 2c4 4 4 8 0 12M8 2c-4 4-4 8 0 12',
  token: 'M8 2a6 6 0 100 12A6 6 0 008 2zM8 5v6M5.8 6.8L8 5l2.2 1.8',
  comment: 'M2.5 3.5h11v7.5h-6L4.5 13.5V11h-2z',
  clock: 'M8 2a6 6 0 100 12A6 6 0 008 2zM8 4.8V8l2.2 1.6',
  gauge: 'M2.5 11.5a6 6 0 1111 0M8 10l2.5-3.5',
  qr: 'M2 2h4v4H2zM10 2h4v4h-4zM2 10h4v4H2zM10 10h1.5M13 10v2M10 13.5h1M13 14h1',
  warning: 'M8 2.5L14.5 13.5h-13zM8 6.5v3.2M8 11.6v.2',
} as const

export type IconName = keyof typeof paths

/** Decorative: use it beside text, or in an element with a label. */
export const Icon = ({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) => (
  <svg class="icon" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
)

/** A letter in place of a token image: external images are not loaded. */
export const Monogram = ({ raw, text }: { readonly raw: string; readonly text: string }) => {
  const hue = Math.round((Number.parseInt(raw.slice(raw.indexOf(':') + 1).slice(0, 4), 16) / 65_536) * 360)
  return (
    <svg class="monogram" width="34" height="34" viewBox="0 0 34 34" aria-hidden="true">
      <circle class="monogram-ground" cx="17" cy="17" r="17" fill={`hsl(${hue} 60% 50%)`} />
      <text x="17" y="21.5" text-anchor="middle" fill={`hsl(${hue} 58% 56%)`}>
        {[...text].slice(0, 3).join('').toUpperCase()}
      </text>
    </svg>
  )
}

/** A table that may be wider than its card; without links in it, the keyboard scrolls the frame. */
export const TableFrame = ({ label, children }: { readonly label: string; readonly children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to take the focus.
  <section class="table-frame" aria-label={label} tabIndex={0}>
    {children}
  </section>
)

export const LoadMore = ({ pages }: { readonly pages: Pages<unknown> }) =>
  pages.hasMore ? (
    <div class="load-more">
      <button type="button" class="button" disabled={pages.isLoading} onClick={pages.more}>
        {pages.isLoading ? 'Loading…' : 'Older'}
      </button>
    </div>
  ) : null

/** An empty state. */
export const Empty = ({
  icon = 'search',
  children,
}: {
  readonly icon?: IconName
  readonly children: ComponentChildren
}) => (
  <div class="empty">
    <Icon name={icon} size={20} />
    <p>{children}</p>
  </div>
)

/** An error message. */
export const Failure = ({ error }: { readonly error: Error }) => (
  <div class="note is-bad" role="alert">
    <Icon name="warning" />
    <p>{error.message}</p>
  </div>
)

/** Grey lines in the place of content that is being loaded. */
export const Loading = ({ lines = 4 }: { readonly lines?: number }) => (
  <div class="loading" role="status" aria-label="Loading">
    {Array.from({ length: lines }, (_, index) => (
      <span key={index} class="skeleton" />
    ))}
  </div>
)

/** A component that is loaded when it is first shown. */
export const lazy = <P extends object>(load: () => Promise<ComponentType<P>>) => {
  let loaded: ComponentType<P> | undefined
  return (props: P) => {
    const [error, setError] = useState<Error>()
    const [, update] = useState(0)
    useEffect(() => {
      if (loaded !== undefined) return
      load().then(
        (component) => {
          loaded = component
          update(1)
        },
        () => setError(new Error('This part of the page could not be loaded. Reload the page.')),
      )
    }, [])
    const Loaded = loaded
    if (error !== undefined) return <Failure error={error} />
    return Loaded === undefined ? <Loading /> : <Loaded {...props} />
  }
}

export const Notice = ({ children }: { readonly children: ComponentChildren }) => (
  <div class="note is-warn" role="note">
    <Icon name="warning" />
    <p>{children}</p>
  </div>
)

const SHOWN_MS = 1200

export const CopyButton = ({ text, what }: { readonly text: string; readonly what: string }) => {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      copyTheOldWay(text)
    }
    setCopied(true)
  }
  return (
    <button
      type="button"
      class={`copy ${isCopied ? 'is-copied' : ''}`}
      aria-label={isCopied ? 'Copied' : `Copy ${what}`}
      title={isCopied ? 'Copied' : `Copy ${what}`}
      onClick={() => void copy()}
    >
      <Icon name={isCopied ? 'check' : 'copy'} size={13} />
    </button>
  )
}

/** The clipboard API needs a secure context; this works over plain HTTP. */
const copyTheOldWay = (text: string): void => {
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}

export type Tab<K extends string> = { readonly key: K; readonly title: ComponentChildren }

type TabsProps<K extends string> = {
  readonly tabs: readonly Tab<K>[]
  readonly current: K
  readonly label: string
  onChange(key: K): void
}

export const Tabs = <K extends string>({ tabs, current, label, onChange }: TabsProps<K>) => {
  const list = useRef<HTMLDivElement>(null)
  const move = (event: TargetedKeyboardEvent<HTMLDivElement>): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    const index = tabs.findIndex(({ key }) => key === current)
    const next = (index + step + tabs.length) % tabs.length
    onChange(tabs[next]!.key)
    list.current?.querySelectorAll<HTMLButtonElement>('[role=tab]')[next]?.focus()
  }
  return (
    <div class="tabs" role="tablist" aria-label={label} tabIndex={-1} ref={list} onKeyDown={move}>
      {tabs.map(({ key, title }) => (
        <button
          key={key}
          type="button"
          role="tab"
          aria-selected={key === current}
          tabIndex={key === current ? 0 : -1}
          onClick={() => onChange(key)}
        >
          {title}
        </button>
      ))}
    </div>
  )
}
