import type { ComponentChildren } from 'preact'

export type Fact = readonly [label: string, value: ComponentChildren]

/** Names and values, one a row; what has no value is left out. */
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
