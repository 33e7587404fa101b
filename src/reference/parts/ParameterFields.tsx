import { describeType, findChoices, findExample, formatValue, isList } from '../model/describeType.ts'
import type { Schemas } from '../model/OpenApi.ts'
import { follow, type Parameter } from '../model/Operation.ts'
import type { Typed } from '../model/Request.ts'

type FieldsProps = {
  readonly parameters: readonly Parameter[]
  readonly schemas: Schemas
  readonly typed: Typed
  onType(name: string, value: string): void
}

/** What may be given: its description, and where to type it. */
export const ParameterFields = ({ parameters, schemas, typed, onType }: FieldsProps) =>
  parameters.length === 0 ? (
    <p class="ref-faint">It takes no parameters.</p>
  ) : (
    <div class="ref-fields">
      {parameters.map((parameter) => (
        <div class="ref-field" key={parameter.name}>
          <label for={idOf(parameter)}>
            <code>{parameter.name}</code>
            {parameter.isRequired && <span class="ref-required"> required</span>}
            {parameter.place === 'header' && <span class="ref-faint"> header</span>}
            <span class="ref-type"> {describeType(parameter.schema, schemas)}</span>
          </label>
          <Field parameter={parameter} schemas={schemas} value={typed[parameter.name] ?? ''} onType={onType} />
          <p class="ref-faint" id={`${idOf(parameter)}-about`}>
            {parameter.description} <Hints parameter={parameter} schemas={schemas} onType={onType} />
          </p>
        </div>
      ))}
    </div>
  )

const idOf = ({ name }: Parameter): string => `parameter-${name}`

type FieldProps = {
  readonly parameter: Parameter
  readonly schemas: Schemas
  readonly value: string
  onType(name: string, value: string): void
}

const Field = ({ parameter, schemas, value, onType }: FieldProps) => {
  const { name, schema, isRequired } = parameter
  const own = {
    id: idOf(parameter),
    name,
    value,
    required: isRequired,
    'aria-describedby': `${idOf(parameter)}-about`,
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onType(name, currentTarget.value),
  }
  const choices = findChoices(schema, schemas)
  const fallback = follow(schema, schemas).default
  if (choices !== undefined) {
    return (
      <select {...own}>
        <option value="">{fallback === undefined ? 'not given' : `default: ${formatValue(fallback)}`}</option>
        {choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    )
  }
  if (isList(schema, schemas)) return <textarea {...own} rows={2} placeholder="one on each line" spellcheck={false} />
  const placeholder = fallback === undefined ? '' : formatValue(fallback)
  return <input {...own} type="text" placeholder={placeholder} autocomplete="off" spellcheck={false} />
}

const Hints = ({ parameter, schemas, onType }: Omit<FieldProps, 'value'>) => {
  const fallback = follow(parameter.schema, schemas).default
  const example = findExample(parameter.schema, schemas)
  return (
    <>
      {fallback !== undefined && <span>Default: {formatValue(fallback)}. </span>}
      {example !== undefined && (
        <button type="button" class="ref-example" onClick={() => onType(parameter.name, example)}>
          use {example}
        </button>
      )}
    </>
  )
}
