import { Badge, type Tone } from '../parts/basics.tsx'
import type { Endpoint } from './callWebhooks.ts'

const stateTones: { readonly [S in Endpoint['state']]: Tone } = { active: 'good', failing: 'bad', disabled: 'plain' }

export const StateBadge = ({ state }: { readonly state: Endpoint['state'] }) => (
  <Badge tone={stateTones[state]}>{state}</Badge>
)

export const toUtime = (time: string): number => Date.parse(time) / 1000

/** Event types of a subscription, which is as the owner gave it. */
export const listTypes = (subscription: object): string => {
  const types = 'types' in subscription && Array.isArray(subscription.types) ? subscription.types : []
  return types.map((type) => String(type).replaceAll('_', ' ')).join(', ')
}
