// Table of constants: wallets, multisig, vesting, subscriptions and scheduled calls.
export const wallets = `
_ mode:(## 8) msg:^(MessageRelaxed Any) = ModeWithMessage

// External messages of wallets without an opcode: a signature, then what was signed.
wallet_signed_v1_v2 signature:bits512 msg_seqno:uint32 valid_until:uint32 msgs:WalletMessages = WalletV1V2Body
wallet_signed_v3 signature:bits512 subwallet_id:uint32 valid_until:uint32 msg_seqno:uint32 msgs:WalletMessages
  = WalletV3Body
wallet_signed_v4 signature:bits512 subwallet_id:uint32 valid_until:uint32 msg_seqno:uint32 op:W4Operation
  = WalletV4Body
simple_send#00 msgs:WalletMessages = W4Operation
deploy_install_plugin#01 plugin_workchain:int8 plugin_balance:Coins state_init:^StateInit body:^Cell = W4Operation
install_plugin#02 plugin_workchain:int8 plugin_address:bits256 amount:Coins query_id:uint64 = W4Operation
remove_plugin#03 plugin_workchain:int8 plugin_address:bits256 amount:Coins query_id:uint64 = W4Operation
preprocessed_wallet_signed_v2 signature:bits512 inner:^PreprocessedWalletV2Inner = PreprocessedWalletV2Body
_ valid_until:uint64 seqno:uint16 actions:^OutList = PreprocessedWalletV2Inner
highload_wallet_signed_v1 signature:bits512 subwallet_id:uint32 valid_until:uint32 msg_seqno:uint32
  payload:^(Hashmap 16 ModeWithMessage) = HighloadV1Body
highload_wallet_signed_v2 signature:bits512 subwallet_id:uint32 query_id:uint64 payload:(HashmapE 16 ModeWithMessage)
  = HighloadV2Body
highload_wallet_signed_v3 signature:bits512 msg_inner:^HighloadV3Inner = HighloadV3Body
_ subwallet_id:uint32 message_to_send:^(MessageRelaxed Any) send_mode:uint8 query_id:HighloadV3QueryId
  created_at:uint64 timeout:uint22 = HighloadV3Inner
_ shift:uint13 bit_number:(## 10) = HighloadV3QueryId

highload_v3_internal_request#ae42e5a4 query_id:uint64 actions:^OutList
highload_v3_internal_request#ae42e5a4 rest:Any

// Wallet v5
add_extension#02 addr:MsgAddressInt = W5ExtendedAction
delete_extension#03 addr:MsgAddressInt = W5ExtendedAction
set_signature_auth_allowed#04 allowed:Bool = W5ExtendedAction
w5_actions_request out_actions:(Maybe ^OutList) extended_actions:(Maybe W5ExtendedActionList) = W5InnerRequest
w5_signed_request wallet_id:uint32 valid_until:uint32 msg_seqno:uint32 inner:W5InnerRequest signature:bits512
  = W5SignedRequest
w5_internal_signed_request#73696e74 request:W5SignedRequest
w5_internal_signed_request#73696e74 rest:Any
w5_external_signed_request#7369676e request:W5SignedRequest
w5_external_signed_request#7369676e rest:Any
w5_extension_action_request#6578746e query_id:uint64 request:W5InnerRequest
w5_extension_action_request#6578746e rest:Any

// Telegram's wallet: the opcode follows the signature.
tg_wallet_signed signature:bits512 request:TelegramWalletRequest = TelegramWalletBody
tg_wallet_message_to_send send_mode:uint8 message:^(MessageRelaxed Any) = TelegramWalletMessage
tg_wallet_send_one_internal#63896e74 subwallet_id:uint32 valid_until:uint32 seqno:uint32 send_mode:uint8
  message:^(MessageRelaxed Any) = TelegramWalletRequest
tg_wallet_send_one_external#63896e75 subwallet_id:uint32 valid_until:uint32 seqno:uint32 send_mode:uint8
  message:^(MessageRelaxed Any) = TelegramWalletRequest
tg_wallet_send_bulk_internal#73896e74 subwallet_id:uint32 valid_until:uint32 seqno:uint32 messages_count:uint8
  messages:(ChunkedArray messages_count TelegramWalletMessage) = TelegramWalletRequest
tg_wallet_send_bulk_internal#73896e74 subwallet_id:uint32 valid_until:uint32 seqno:uint32 messages_count:uint8
  first_chunk:MaybeCell = TelegramWalletRequest
tg_wallet_send_bulk_external#73896e75 subwallet_id:uint32 valid_until:uint32 seqno:uint32 messages_count:uint8
  messages:(ChunkedArray messages_count TelegramWalletMessage) = TelegramWalletRequest
tg_wallet_send_bulk_external#73896e75 subwallet_id:uint32 valid_until:uint32 seqno:uint32 messages_count:uint8
  first_chunk:MaybeCell = TelegramWalletRequest
tg_wallet_change_key_internal#fbba99c7 subwallet_id:uint32 valid_until:uint32 seqno:uint32 new_public_key:bits256
  rotation_signature:^bits512 encrypted_old_private_key:^bits256 = TelegramWalletRequest
tg_wallet_change_key_external#fbba99c8 subwallet_id:uint32 valid_until:uint32 seqno:uint32 new_public_key:bits256
  rotation_signature:^bits512 encrypted_old_private_key:^bits256 = TelegramWalletRequest
tg_wallet_send_one_internal#63896e74 rest:Any
tg_wallet_send_one_external#63896e75 rest:Any
tg_wallet_send_bulk_internal#73896e74 rest:Any
tg_wallet_send_bulk_external#73896e75 rest:Any
tg_wallet_change_key_internal#fbba99c7 rest:Any
tg_wallet_change_key_external#fbba99c8 rest:Any
tg_wallet_key_changed#eba19948 encrypted_old_private_key:bits256

// Plugins of wallet v4, two-factor extension of v5
wallet_plugin_installation_notification#6e6f7465 query_id:uint64
wallet_plugin_destruct#64737472 query_id:uint64
wallet_plugin_destruct_response#e4737472 query_id:uint64
payment_request#706c7567 query_id:uint64 amount:CurrencyCollection
payment_confirmed#f06c7567 query_id:uint64
certificate_data valid_until:uint64 pubkey:bits256 = TwoFactorCertificateData
certificate data:TwoFactorCertificateData signature:bits512 = TwoFactorCertificate
_ seed_signature:bits512 = TwoFactorSeedSignature
send_actions#b15f2c8c seqno:uint32 valid_until:uint64 msg:^Cell mode:uint8 = TwoFactorPayload
remove_extension#9d8084d6 seqno:uint32 valid_until:uint64 = TwoFactorPayload
delegation#23d9c15c seqno:uint32 valid_until:uint64 new_state_init:^Cell forward_amount:Coins = TwoFactorPayload
cancel_delegation#de82b501 seqno:uint32 valid_until:uint64 = TwoFactorPayload
tonkeeper_2fa_signed#53684037 ref_with_certificate:^TwoFactorCertificate ref_seed_signature:^TwoFactorSeedSignature
  payload:TwoFactorPayload certificate_signature:bits512
tonkeeper_relayer_fee_forward_payload#878da6e3 rest:Any

// Multisig v2; the first name is spelt as clients know it.
send_message#f1381e5b mode:uint8 message:^(MessageRelaxed Any) = MultisigAction
update_multisig_param#1d0cfbd3 threshold:uint8 signers:^(Hashmap 8 MsgAddressInt) proposers:(HashmapE 8 MsgAddressInt)
  = MultisigAction
_ _:(Hashmap 8 ^MultisigAction) = MultisigOrder
mulisig_new_order#f718510f query_id:uint64 order_seqno:uint256 signer:Bool index:uint8 expiration_date:uint48
  order:^MultisigOrder
multisig_execute#75097f5d query_id:uint64 order_seqno:uint256 expiration_date:uint48 approvals_num:uint8
  signers_hash:bits256 order:^MultisigOrder
multisig_execute_internal#a32c59bf query_id:uint64 order:^MultisigOrder
multisig_order_init#9c73fba2 query_id:uint64 threshold:uint8 signers:^(Hashmap 8 MsgAddressInt) expiration_date:uint48
  order:^MultisigOrder signer_index:(Maybe uint8)
multisig_approve#a762230f query_id:uint64 signer_index:uint8
multisig_approve_accepted#82609bf6 query_id:uint64
multisig_approve_rejected#afaf283e query_id:uint64 exit_code:uint32

// Vesting
vesting_send_message#a7733acd query_id:uint64 send_mode:uint8 message:^(MessageRelaxed Any)
vesting_send_message_response#f7733acd query_id:uint64
vesting_add_white_list#7258a69b query_id:uint64 addresses_ref_snake:Any
vesting_add_white_list_response#f258a69b query_id:uint64

// Subscriptions
subscription_payment#73756273 rest:Any
subscription_fallback#756e6b77 rest:Any
subscription_deploy#f71783cb query_id:uint64 first_charging_date:uint32 payment_per_period:Grams period:uint32
  grace_period:uint32 caller_fee:Grams withdraw_address:MsgAddressInt withdraw_msg_body:^Cell metadata:^Cell
subscription_reduce_payment#508238ec query_id:uint64 new_payment:Grams

// Scheduled calls
cron_trigger#2114702d reward_address:MsgAddress salt:uint32
cron_reward#2e04891a rest:Any
cron_notify#d027efe5 init_state_hash:uint256 init_state_depth:uint10
cron_init#2e41d3ac rest:Any
cron_destroyed#bbe27821 rest:Any
w5_dns_renewal_calc_and_topup#56f6110e first_call_time:uint32 repeat_every:uint32 salt:uint32 reward:Coins
  owner_address:MsgAddressInt renewal_actions_cell:^Cell topup_amount:Coins msg_to_wallet_amount:Coins
`
