/** A code by its name, as constants of compilers spell it, and in words. */
export type ExplainedCode = { readonly name: string; readonly meaning: string }

const explained = (name: string, meaning: string): ExplainedCode => ({ name, meaning })

/** Exit codes of the compute phase: 0 to 14 are of the machine, 128 and on those of common compilers. */
const exitCodes: { readonly [code: number]: ExplainedCode } = {
  0: explained('ok', 'success'),
  1: explained('alternative_ok', 'success'),
  2: explained('stack_underflow', 'an instruction needs more values than the stack has'),
  3: explained('stack_overflow', 'the stack has too many values'),
  4: explained('integer_overflow', 'integer overflow or division by zero'),
  5: explained('range_check', 'an integer is out of the expected range'),
  6: explained('invalid_opcode', 'invalid or unknown instruction'),
  7: explained('type_check', 'a value has another type than expected'),
  8: explained('cell_overflow', 'a builder has no room for what is written'),
  9: explained('cell_underflow', 'a slice has less than is read'),
  10: explained('dictionary', 'a dictionary is malformed'),
  11: explained('unknown', 'unknown error, or the method does not exist'),
  12: explained('fatal', 'fatal error of the machine'),
  13: explained('out_of_gas', 'out of gas'),
  14: explained('virtualization', 'a pruned cell was read'),
  [-14]: explained('out_of_gas', 'out of gas'),
  128: explained('null_reference', 'null reference (Tact)'),
  129: explained('invalid_serialization_prefix', 'invalid serialization prefix (Tact)'),
  130: explained('invalid_incoming_message', 'no receiver for this message (Tact)'),
  131: explained('constraints', 'constraints error (Tact)'),
  132: explained('access_denied', 'access denied (Tact)'),
  133: explained('contract_stopped', 'contract stopped (Tact), or wrong seqno (wallet v5)'),
  134: explained('invalid_argument', 'invalid argument (Tact)'),
  135: explained('code_not_found', 'code of a contract was not found (Tact)'),
  136: explained('invalid_address', 'invalid address (Tact)'),
  137: explained('masterchain_disabled', 'masterchain support is not enabled (Tact)'),
  65535: explained('unknown_operation', 'unknown operation'),
}

const resultCodes: { readonly [code: number]: ExplainedCode } = {
  0: explained('ok', 'success'),
  32: explained('invalid_action_list', 'the list of actions is invalid'),
  33: explained('too_many_actions', 'more than 255 actions'),
  34: explained('invalid_action', 'invalid or unknown action'),
  35: explained('invalid_source', 'invalid source address of a message'),
  36: explained('invalid_destination', 'invalid destination address of a message'),
  37: explained('not_enough_coins', 'not enough coins for a message or a reservation'),
  38: explained('not_enough_extra_currency', 'not enough of an extra currency'),
  39: explained('message_too_large', 'a message does not fit into a cell'),
  40: explained('cannot_process_message', 'not enough funds to process a message, or it is too large'),
  41: explained('null_library', 'library reference is null'),
  42: explained('library_change', 'error while changing a library'),
  43: explained('library_limits', 'library limits exceeded'),
  50: explained('state_too_large', 'the account state is too large'),
}

const skipReasons: { readonly [reason: string]: string } = {
  no_state: 'the account has no code, and the message brings none',
  bad_state: 'the state init of the message does not match the address',
  no_gas: 'not enough coins to buy gas',
  suspended: 'the account is suspended by the configuration',
}

const OWN = 'an error of the contract: see its source for the meaning'

export const explainExitCode = (code: number): ExplainedCode => exitCodes[code] ?? explained(`exit_${code}`, OWN)

export const explainResultCode = (code: number): ExplainedCode =>
  resultCodes[code] ?? explained(`result_${code}`, 'unknown result of the action phase')

export const explainSkip = (reason: string): ExplainedCode => explained(reason, skipReasons[reason] ?? reason)
