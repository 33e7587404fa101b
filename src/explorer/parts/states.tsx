import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './Icon.tsx'

/** Nothing is there, and that is an answer, too. */
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

/** What went wrong, in the words of the server. */
export const Failure = ({ error }: { readonly error: Error }) => (
  <div class="note is-bad" role="alert">
    <Icon name="warning" />
    <p>{error.message}</p>
  </div>
)

/** Room for what is on its way, so that nothing jumps when it comes. */
export const Loading = ({ lines = 4 }: { readonly lines?: number }) => (
  <div class="loading" role="status" aria-label="Loading">
    {Array.from({ length: lines }, (_, index) => (
      <span key={index} class="skeleton" />
    ))}
  </div>
)

export const Notice = ({ children }: { readonly children: ComponentChildren }) => (
  <div class="note is-warn" role="note">
    <Icon name="warning" />
    <p>{children}</p>
  </div>
)
