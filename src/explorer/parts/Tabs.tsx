import type { ComponentChildren, TargetedKeyboardEvent } from 'preact'
import { useRef } from 'preact/hooks'

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
