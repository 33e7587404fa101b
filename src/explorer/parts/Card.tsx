import type { ComponentChildren } from 'preact'

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
