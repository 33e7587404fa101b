import type { ComponentChildren, TargetedMouseEvent } from 'preact'
import { formatRoute, type Route } from './Route.ts'
import { goTo } from './useRoute.ts'

type LinkProps = {
  readonly to: Route
  readonly class?: string | undefined
  readonly title?: string | undefined
  readonly label?: string
  readonly isCurrent?: boolean
  readonly children: ComponentChildren
}

export const Link = ({ to, class: className, title, label, isCurrent = false, children }: LinkProps) => {
  const follow = (event: TargetedMouseEvent<HTMLAnchorElement>): void => {
    // Whoever wants another tab gets it.
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    goTo(to)
  }
  return (
    <a
      href={formatRoute(to)}
      class={className}
      title={title}
      aria-label={label}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={follow}
    >
      {children}
    </a>
  )
}
