import type { TraceStage } from './useTrace.ts'

const steps = [
  { title: 'Foreseen', about: 'run ahead of the network, by the same rules' },
  { title: 'In blocks', about: 'the network has begun with it' },
  { title: 'Final', about: 'all of it happened, and is in the index' },
] as const

const reached: Record<TraceStage, number> = { absent: -1, foreseen: 0, begun: 1, final: 2 }

/** How far a trace is. It moves on by itself. */
export const StageLine = ({ stage }: { readonly stage: TraceStage }) => (
  <ol class="stages" aria-live="polite">
    {steps.map(({ title, about }, index) => {
      const state = index < reached[stage] || stage === 'final' ? 'done' : index === reached[stage] ? 'now' : 'ahead'
      return (
        <li key={title} class={`stage is-${state}`} aria-current={state === 'now' ? 'step' : undefined} title={about}>
          {title}
        </li>
      )
    })}
  </ol>
)
