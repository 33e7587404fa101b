import type { ComponentChildren } from 'preact'

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
