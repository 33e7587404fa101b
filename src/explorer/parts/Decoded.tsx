import type { ComponentChildren } from 'preact'
import { findRawAddress } from '../model/Address.ts'
import { AddressLink } from './AddressLink.tsx'

type Value = unknown
type Members = { readonly [name: string]: Value }

/** What a body means: names and values, one within the other. */
export const Decoded = ({ value }: { readonly value: Value }) => <div class="decoded">{show(value)}</div>

const show = (value: Value): ComponentChildren => {
  if (value === null || value === undefined) return <span class="muted">none</span>
  if (typeof value !== 'object') return showPlain(String(value))
  if (Array.isArray(value)) {
    if (value.length === 0) return <span class="muted">empty</span>
    return value.map((each, index) => <div key={index}>{show(each)}</div>)
  }
  const members = value as Members
  const simple = findSimple(members)
  if (simple !== undefined) return simple
  const type = members['@type']
  const rest = Object.entries(members).filter(([name]) => name !== '@type')
  return (
    <div class="decoded-object">
      {typeof type === 'string' && <span class="op">{type}</span>}
      {rest.length > 0 && (
        <dl>
          {rest.map(([name, member]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{show(member)}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}

const showPlain = (text: string): ComponentChildren => {
  const raw = findRawAddress(text)
  return raw === undefined ? <span class="mono value">{text}</span> : <AddressLink raw={raw} />
}

/** Wrappings that say nothing to people are taken off. */
const findSimple = (members: Members): ComponentChildren | undefined => {
  switch (members['@type']) {
    case 'var_uint':
      return showPlain(String(members['value']))
    case 'nanograms':
      return show(members['amount'])
    case 'addr_none':
    case 'nothing_from_maybe':
    case 'hashmap_empty':
      return <span class="muted">none</span>
    case 'empty_cell':
      return <span class="muted">empty</span>
    case 'addr_std':
      return showPlain(`${String(members['workchain_id'])}:${String(members['address'])}`)
    case 'something_from_maybe':
    case 'first_from_either':
    case 'second_from_either':
      return show(members['value'])
    case undefined:
      return 'cell_reference' in members ? show(members['cell_reference']) : undefined
    default:
      return undefined
  }
}
