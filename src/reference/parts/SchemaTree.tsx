import { useState } from 'preact/hooks'
import { describeType, formatValue } from '../model/describeType.ts'
import type { Schema, Schemas } from '../model/OpenApi.ts'
import { follow } from '../model/Operation.ts'

type TreeProps = { readonly schema: Schema; readonly schemas: Schemas }

/** The members of what is answered, those of each opened when asked for: some contain themselves. */
export const SchemaTree = ({ schema, schemas }: TreeProps) => {
  const { properties, required = [], note } = membersOf(schema, schemas)
  if (properties === undefined) return <p class="ref-type">{describeType(schema, schemas)}</p>
  return (
    <ul class="ref-tree">
      {note !== undefined && <li class="ref-note">{note}</li>}
      {Object.entries(properties).map(([name, member]) => (
        <Member key={name} name={name} schema={member} schemas={schemas} isOptional={!required.includes(name)} />
      ))}
    </ul>
  )
}

const Member = ({
  name,
  schema,
  schemas,
  isOptional,
}: TreeProps & { readonly name: string; readonly isOptional: boolean }) => {
  const [isOpen, setOpen] = useState(false)
  const { description, examples } = follow(schema, schemas)
  const hasMore = membersOf(schema, schemas).properties !== undefined
  const label = (
    <>
      <code>{name}</code> <span class="ref-type">{describeType(schema, schemas)}</span>
      {isOptional && <span class="ref-faint"> may be absent</span>}
    </>
  )
  return (
    <li>
      {hasMore ? (
        <button type="button" class="ref-fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {label}
        </button>
      ) : (
        <span class="ref-leaf">{label}</span>
      )}
      {description !== undefined && <span class="ref-faint"> {description}</span>}
      {examples?.[0] !== undefined && <span class="ref-faint ref-example"> such as {formatValue(examples[0])}</span>}
      {isOpen && <SchemaTree schema={schema} schemas={schemas} />}
    </li>
  )
}

type Members = { readonly properties?: Schemas; readonly required?: readonly string[]; readonly note?: string }

/** What can be opened: the members of an object, of the items of a list, of what may be null, of a table by key. */
const membersOf = (schema: Schema, schemas: Schemas): Members => {
  const whole = follow(schema, schemas)
  if (whole.properties !== undefined && Object.keys(whole.properties).length > 0) {
    return { properties: whole.properties, ...(whole.required !== undefined && { required: whole.required }) }
  }
  if (whole.items !== undefined) return membersOf(whole.items, schemas)
  if (whole.anyOf !== undefined) {
    const some = whole.anyOf
      .map((each) => membersOf(each, schemas))
      .filter(({ properties }) => properties !== undefined)
    return some.length > 1 ? { ...some[0], note: `The first of ${some.length} shapes.` } : (some[0] ?? {})
  }
  const values = whole.patternProperties?.[Object.keys(whole.patternProperties)[0] ?? ''] ?? whole.additionalProperties
  return typeof values === 'object' ? { properties: { '(any key)': values }, required: ['(any key)'] } : {}
}
