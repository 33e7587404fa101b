// Table of constants: EVAA and the Pyth oracle it asks.
export const lending = `
// Three protocols share this opcode; its bodies are read below.
evaa_supply_master,pyth_update_guardian_set,w4_deploy_install_plugin#00000001 _:Never

_ sb_rate:uint64 = EvaaSbRate
_ timestamp:uint32 = EvaaTimestamp
_ principal:int64 = EvaaPrincipal
_ balance:uint64 = EvaaBalance
_ address_hash:uint256 = EvaaAddressHash
_ asset_id:uint256 = EvaaAssetId
_ amount:uint64 = EvaaAmount
_ tracking_index:uint64 = EvaaTrackingIndex
bool_true$11 = EvaaBool
bool_false$00 = EvaaBool
price_assets id:uint256 price:Coins next_asset:(Maybe ^EvaaPriceAssets) = EvaaPriceAssets
price_oracles_data oracle_id:uint32 proof:^Cell signature:bits512 next_oracles_data:(Maybe ^EvaaPriceOracles)
  = EvaaPriceOracles
prices_packed assets:^EvaaPriceAssets oracles_data:^EvaaPriceOracles = EvaaPricesPacked
_ collateral_factor:uint16 liquidation_threshold:uint16 liquidation_bonus:uint16 base_borrow_rate:uint64
  borrow_rate_slope_low:uint64 borrow_rate_slope_high:uint64 supply_rate_slope_low:uint64
  supply_rate_slope_high:uint64 target_utilization:uint64 origination_fee:uint64 dust_value:uint64
  max_total_supply:uint64 reserve_factor:uint16 liquidation_reserve_factor:uint16 min_principal_for_rewards:uint64
  base_tracking_supply_speed:uint64 base_tracking_borrow_speed:uint64 = EvaaAssetConfigParams
_ jw_address_hash:EvaaAddressHash decimals:uint8 params:^EvaaAssetConfigParams = EvaaAssetConfig
_ asset_configs:(HashmapE 256 EvaaAssetConfig) = EvaaAssetConfigs
_ s_rate:EvaaSbRate b_rate:EvaaSbRate total_supply_principal:EvaaPrincipal total_borrow_principal:EvaaPrincipal
  last_accrual:EvaaTimestamp token_balance:EvaaBalance tracking_supply_index:EvaaTrackingIndex
  tracking_borrow_index:EvaaTrackingIndex awaited_supply:EvaaBalance = EvaaAssetDynamics
_ asset_dynamics:(HashmapE 256 EvaaAssetDynamics) = EvaaAssetDynamicsAll
oracles_info total_oracles:uint16 threshold:uint16 oracles:^Cell = EvaaOraclesInfo
upgrade_config master_code_version:Coins user_code_version:Coins timeout:uint32 update_time:uint64 freeze_time:uint64
  user_code:^Cell blank_code:^Cell new_master_code:MaybeCell new_user_code:MaybeCell = EvaaUpgradeConfig
master_config asset_config_collection:EvaaAssetConfigs if_active:int8 admin:MsgAddressInt
  oracles_info:EvaaOraclesInfo tokens_keys:MaybeCell maybe_supervisor_address_cell:Any = EvaaMasterConfig
storage meta:^Cell upgrade_config:^EvaaUpgradeConfig master_config:^EvaaMasterConfig
  asset_dynamics_collection:EvaaAssetDynamicsAll = EvaaMasterStorage

pyth_update_guardian_set#00000001
  ^[ version:uint8 guardian_set_index:uint32 signatures_length:uint8 rest_signatures:Any ]
pyth_parse_price_feed_updates#00000005 update_data:^Cell price_ids:^Cell min_publish_time:uint64
  max_publish_time:uint64 target_address:MsgAddress custom_payload:^Cell
pyth_parse_unique_price_feed_updates#00000006 update_data:^Cell price_ids:^Cell publish_time:uint64
  max_staleness:uint64 target_address:MsgAddress custom_payload:^Cell
pyth_parse_unique_price_feed_updates#00000006 number_of_price_feeds:uint8 price_feeds:^Cell sender_address:MsgAddress
  custom_payload:Any
pyth_response_success#00010001 result:^Cell original_custom_payload:^Cell
pyth_response_error#00010002 error_code:uint32 original_op_code:uint32 original_custom_payload:^Cell

evaa_user_execute_action#107e0000 extra:Any
evaa_revert_call#0000000f query_id:uint64 owner_address:MsgAddressInt revert_body:^Cell

// Supply
sm_opt_data subaccount_id:int16 return_repay_remainings_flag:EvaaBool custom_payload_recipient:MsgAddressInt
  custom_payload_saturation_flag:EvaaBool = EvaaSupplyOptional
evaa_supply_master#00000001 query_id:uint64 include_user_code:EvaaBool supply_amount:EvaaAmount
  recipient_address:MsgAddressInt forward_ton_amount:EvaaAmount custom_response_payload:^Cell
evaa_supply_master#00000001 query_id:uint64 include_user_code:EvaaBool supply_amount:EvaaAmount
  recipient_address:MsgAddressInt custom_response_payload:^Cell supply_master_optional:EvaaSupplyOptional
evaa_supply_master#00000001 query_id:uint64 include_user_code:EvaaBool supply_amount:EvaaAmount
  recipient_address:MsgAddressInt custom_response_payload:^Cell supply_master_optional:Any
evaa_supply_user#00000011 query_id:uint64 asset_id:EvaaAssetId supply_amount_current:EvaaAmount s_rate:EvaaSbRate
  b_rate:EvaaSbRate dust:uint64 max_token_amount:uint64 total_supply:EvaaPrincipal total_borrow:EvaaPrincipal
  tracking_supply_index:EvaaTrackingIndex tracking_borrow_index:EvaaTrackingIndex custom_response_payload:^Cell
  ^[ subaccount_id:int16 return_repay_remainings_flag:EvaaBool custom_payload_recipient:MsgAddressInt
     custom_payload_saturation_flag:EvaaBool initial_sender:MsgAddressInt ]
evaa_supply_user#00000011 query_id:uint64 asset_id:EvaaAssetId supply_amount_current:EvaaAmount s_rate:EvaaSbRate
  b_rate:EvaaSbRate dust:uint64 max_token_amount:uint64 total_supply:EvaaPrincipal total_borrow:EvaaPrincipal
  tracking_supply_index:EvaaTrackingIndex tracking_borrow_index:EvaaTrackingIndex forward_ton_amount:EvaaAmount
  custom_response_payload:^Cell
evaa_supply_success#0000011a query_id:uint64 owner_address:MsgAddressInt asset_id:EvaaAssetId
  amount_supplied:EvaaAmount user_new_principal:EvaaPrincipal repay_amount_principal:EvaaPrincipal
  supply_amount_principal:EvaaPrincipal custom_response_payload:^Cell subaccount_id:int16
  return_repay_remainings_flag:EvaaBool ^[ custom_payload_recipient:MsgAddress ]
  custom_payload_saturation_flag:EvaaBool
evaa_supply_success#0000011a query_id:uint64 owner_address:MsgAddressInt asset_id:EvaaAssetId
  amount_supplied:EvaaAmount user_new_principal:EvaaPrincipal repay_amount_principal:EvaaPrincipal
  supply_amount_principal:EvaaPrincipal custom_response_payload:^Cell
evaa_supply_success#0000011a query_id:uint64 owner_address:MsgAddressInt asset_id:EvaaAssetId
  amount_supplied:EvaaAmount user_new_principal:EvaaPrincipal repay_amount_principal:EvaaPrincipal
  custom_response_payload:Any
evaa_supply_fail#0000011f query_id:uint64 owner_address:MsgAddressInt asset_id:EvaaAssetId amount:EvaaAmount
  forward_ton_amount:EvaaAmount custom_response_payload:^Cell subaccount_id:int16
  return_repay_remainings_flag:EvaaBool ^[ initial_sender:MsgAddressInt ]
evaa_supply_fail#0000011f query_id:uint64 owner_address:MsgAddressInt asset_id:EvaaAssetId amount:EvaaAmount
  forward_ton_amount:EvaaAmount custom_response_payload:^Cell
evaa_supply_excess_with_data#000011ae query_id:uint64 custom_response_payload:^Cell
evaa_supply_excess#000011ae query_id:uint64
evaa_supply_fail_with_data#00011ae1 query_id:uint64 custom_response_payload:^Cell

// Withdraw
evaa_withdraw_master#00000002 query_id:uint64 asset_id:EvaaAssetId amount:EvaaAmount recipient_addr:MsgAddressInt
  include_user_code:EvaaBool forward_ton_amount:EvaaAmount custom_response_payload:^Cell
  prices_with_signature_packed:^EvaaPricesPacked
evaa_withdraw_user#00000021 query_id:uint64 asset_id:EvaaAssetId withdraw_amount_current:EvaaAmount s_rate:EvaaSbRate
  b_rate:EvaaSbRate recipient_address:MsgAddressInt
  ^[ asset_config_collection:EvaaAssetConfigs asset_dynamics_collection:EvaaAssetDynamicsAll
     prices_packed:^EvaaPricesPacked forward_ton_amount:EvaaAmount custom_response_payload:^Cell ]
evaa_withdraw_collateralized#00000211 query_id:uint64 owner_address:MsgAddressInt asset_id:EvaaAssetId
  withdraw_amount_current:EvaaAmount user_new_principal:EvaaPrincipal borrow_amount_principal:EvaaPrincipal
  reclaim_amount_principal:EvaaPrincipal
  ^[ recipient_address:MsgAddressInt forward_ton_amount:EvaaAmount custom_response_payload:^Cell ]
evaa_withdraw_collateralized#00000211 query_id:uint64 owner_address:MsgAddressInt asset_id:EvaaAssetId
  withdraw_amount_current:EvaaAmount user_new_principal:EvaaPrincipal borrow_amount_principal:EvaaPrincipal
  reclaim_amount_principal_optional:Any
evaa_withdraw_success#0000211a query_id:uint64 asset_id:EvaaAssetId principal_amount:EvaaPrincipal
  tracking_supply_index:EvaaTrackingIndex tracking_borrow_index:EvaaTrackingIndex
evaa_withdraw_success_excess_with_data#0000211a query_id:uint64 custom_response_payload:^Cell
evaa_withdraw_success_excess_with_data#0000211a query_id:uint64 custom_response_payload:Any
evaa_withdraw_fail#0000211f query_id:uint64 asset_id:EvaaAssetId principal_amount:EvaaPrincipal
evaa_withdraw_locked_excess#000021e6 query_id:uint64
evaa_withdraw_not_collateralized_excess#000021e7 query_id:uint64
evaa_withdraw_no_funds_excess#00211fe8 query_id:uint64
evaa_withdraw_missing_prices_excess#000021e8 query_id:uint64
evaa_withdraw_execution_crashed#000021ec query_id:uint64

// Liquidate
user_withdraw_in_progress#000031f0 = EvaaLiquidationError
not_liquidatable#000031f2 = EvaaLiquidationError
min_collateral_not_satisfied#000031f3 collateral_amount:EvaaAmount = EvaaLiquidationError
user_not_enough_collateral#000031f4 collateral_present:EvaaAmount = EvaaLiquidationError
user_liquidating_too_much#000031f5 max_not_too_much:EvaaAmount = EvaaLiquidationError
liquidation_prices_missing#000031f7 = EvaaLiquidationError
liqudation_execution_crashed#000031fe = EvaaLiquidationError
evaa_liquidate_master#00000003 query_id:uint64 borrower_address:MsgAddressInt liquidator_address:MsgAddress
  collateral_asset_id:EvaaAssetId min_collateral_amount:EvaaAmount include_user_code:EvaaBool
  liquidate_incoming_amount:EvaaAmount ^[ forward_ton_amount:EvaaAmount custom_response_payload:^Cell ]
  prices_with_signature_packed:^EvaaPricesPacked
evaa_liquidate_master#00000003 query_id:uint64 borrower_address:MsgAddressInt liquidator_address:MsgAddress
  collateral_asset_id:EvaaAssetId min_collateral_amount:EvaaAmount include_user_code:EvaaBool
  liquidate_incoming_amount:EvaaAmount ^[ forward_ton_amount:EvaaAmount custom_response_payload:^Cell ]
evaa_liquidate_user#00000031 query_id:uint64 asset_config_collection:EvaaAssetConfigs
  asset_dynamics_collection:EvaaAssetDynamicsAll
  ^[ prices_packed:^EvaaPricesPacked collateral_asset_id:EvaaAssetId min_collateral_amount:EvaaAmount
     liquidator_address:MsgAddressInt transferred_asset_id:EvaaAssetId transfered_amount:EvaaAmount
     forward_ton_amount:Coins custom_response_payload:^Cell ]
evaa_liquidate_unsatisfied#0000031f query_id:uint64 owner_address:MsgAddressInt liquidator_address:MsgAddressInt
  transferred_asset_id:EvaaAssetId
  ^[ transferred_amount:EvaaAmount collateral_asset_id:EvaaAssetId min_collateral_amount:EvaaAmount
     forward_ton_amount:Coins custom_response_payload:^Cell error:EvaaLiquidationError ]
evaa_liquidate_satisfied#00000311 query_id:uint64 owner_address:MsgAddressInt liquidator_address:MsgAddressInt
  transferred_asset_id:EvaaAssetId
  ^[ delta_loan_principal:EvaaPrincipal liquidatable_amount:EvaaAmount protocol_gift:EvaaAmount
     new_user_loan_principal:EvaaPrincipal collateral_asset_id:EvaaAssetId delta_collateral_principal:EvaaPrincipal
     collateral_reward:EvaaAmount min_collateral_amount:EvaaAmount new_user_collateral_principal:EvaaPrincipal
     forward_ton_amount:Coins custom_response_payload:^Cell ]
evaa_liquidate_success#0000311a query_id:uint64 transferred_asset_id:EvaaAssetId delta_loan_principal:EvaaPrincipal
  loan_tracking_supply_index:EvaaTrackingIndex loan_tracking_borrow_index:EvaaTrackingIndex
  collateral_asset_id:EvaaAssetId delta_collateral_principal:EvaaPrincipal
  collateral_tracking_supply_index:EvaaTrackingIndex collateral_tracking_borrow_index:EvaaTrackingIndex
evaa_liquidate_fail#0000311f query_id:uint64 transferred_asset_id:EvaaAssetId delta_loan_principal:EvaaPrincipal
  collateral_asset_id:EvaaAssetId delta_collateral_principal:EvaaPrincipal
evaa_liquidate_success_report#0000311d transferred_asset_id:EvaaAssetId transferred_amount:EvaaAmount
  collateral_asset_id:EvaaAssetId collateral_reward:EvaaAmount custom_response_payload:^Cell

// Supply and withdraw at once
sw_supply supply_amount:EvaaAmount = EvaaSwSupply
sw_supply_empty = EvaaSwSupplyEmpty
sw_supply_user _:EvaaSwSupply supply_asset_id:EvaaAssetId = EvaaSwSupplyUser
sw_withdraw withdraw_amount:EvaaAmount withdraw_asset_id:EvaaAssetId recipient_address_of_withdraw:MsgAddressInt
  = EvaaSwWithdraw
sw_withdraw_user _:EvaaSwWithdraw prices_packed:^Cell = EvaaSwWithdrawUser
sw_withdraw_empty = EvaaSwWithdrawEmpty
sw_general include_user_code:EvaaBool ton_amount_for_repay_remainings:EvaaAmount custom_response_payload:^Cell
  swm_opt_rest:Any = EvaaSwGeneral
swm_ext_data subaccount_id:int16 return_repay_remainings_flag:EvaaBool custom_payload_saturation_flag:EvaaBool
  = EvaaSwExtra
sw_general_user ton_amount_for_repay_remainings:EvaaAmount custom_response_payload:^Cell _:EvaaSwExtra
  = EvaaSwGeneralUser
supply_withdraw_master_params supply_data:^EvaaSwSupply withdraw_data:^EvaaSwWithdraw general_data:^EvaaSwGeneral
  = EvaaSwMasterParams
supply_withdraw_master_jetton_params supply_data:^EvaaSwSupplyEmpty withdraw_data:^EvaaSwWithdraw
  general_data:^EvaaSwGeneral = EvaaSwMasterJettonParams
evaa_supply_withdraw_master_without_prices#00000401 query_id:uint64 _:EvaaSwMasterParams
evaa_supply_withdraw_master_without_prices#00000401 _:EvaaSwMasterJettonParams
evaa_supply_withdraw_master_jetton#00000042 _:EvaaSwMasterJettonParams
_ asset_config_collection:EvaaAssetConfigs asset_dynamics_collection:EvaaAssetDynamicsAll _:EvaaSwGeneralUser
  = EvaaSwUserParams
evaa_supply_withdraw_user#00000041 query_id:uint64 supply_data:^EvaaSwSupplyUser withdraw_data:^EvaaSwWithdrawUser
  general_data:^EvaaSwUserParams
_ owner_address:MsgAddressInt _:EvaaSwSupplyUser supply_new_principal:EvaaPrincipal
  repay_amount_principal:EvaaPrincipal supply_amount_principal:EvaaPrincipal = EvaaSwSatisfiedSupply
_ _:EvaaSwWithdraw withdraw_new_principal:EvaaPrincipal borrow_amount_principal:EvaaPrincipal
  reclaim_amount_principal:EvaaPrincipal = EvaaSwSatisfiedWithdraw
evaa_supply_withdraw_satisfied#00000411 query_id:uint64 supply_data:^EvaaSwSatisfiedSupply
  withdraw_data:^EvaaSwSatisfiedWithdraw general_data:^EvaaSwGeneralUser
_ owner_address:MsgAddressInt _:EvaaSwSupplyUser = EvaaSwUnsatisfiedSupply
_ ton_amount_for_repay_remainings:EvaaAmount custom_response_payload:^Cell subaccount_id:int16
  = EvaaSwUnsatisfiedGeneral
evaa_supply_withdraw_unsatisfied#0000041f query_id:uint64 supply_data:^EvaaSwUnsatisfiedSupply
  withdraw_data:^EvaaSwWithdrawEmpty general_data:^EvaaSwUnsatisfiedGeneral
_ supply_asset_id:EvaaAssetId supply_principal_amount:EvaaAmount = EvaaSwEndSupply
_ withdraw_asset_id:EvaaAssetId withdraw_principal_amount:EvaaAmount = EvaaSwEndWithdraw
_ subaccount_id:int16 = EvaaSwFailGeneral
evaa_supply_withdraw_fail#0000411f query_id:uint64 supply_data:^EvaaSwEndSupply withdraw_data:^EvaaSwEndWithdraw
  general_data:^EvaaSwFailGeneral
_ asset_config_collection:EvaaAssetConfigs asset_dynamics_collection:EvaaAssetDynamicsAll subaccount_id:int16
  = EvaaSwSuccessGeneral
evaa_supply_withdraw_success#0000411a query_id:uint64 supply_data:^EvaaSwEndSupply withdraw_data:^EvaaSwEndWithdraw
  general_data:^EvaaSwSuccessGeneral

// Upkeep
evaa_idle_master#00000008 query_id:uint64 target_address:MsgAddressInt
evaa_idle_user#00000081 query_id:uint64 tokens_keys:MaybeCell originator_address:MsgAddressInt
evaa_idle_excess#0000081e query_id:uint64
evaa_do_data_checks#0000d001 query_id:uint64
evaa_get_store_request#00009998 query_id:uint64 body_data:^Cell
evaa_get_store_response#00009999 query_id:uint64 body_data:^Cell storage:EvaaMasterStorage
evaa_add_to_reserve#00000a99 rest:Any
_ new_asset_dynamics_collection:^EvaaAssetDynamicsAll tokens_keys:^Cell = EvaaInitData
evaa_init_master#000000a1 query_id:uint64 new_asset_config_collection:^EvaaAssetConfigs packed_data:^EvaaInitData
evaa_claim_asset_reserves#000000a2 query_id:uint64 target_address:MsgAddressInt asset_id:EvaaAssetId
  amount_to_claim:EvaaAmount
evaa_disable_contract_for_upgrade#000000e8 query_id:uint64
evaa_init_upgrade#000000c1 query_id:uint64 new_master_code:MaybeCell new_user_code:MaybeCell
evaa_submit_upgrade#000000c2 query_id:uint64
evaa_cancel_upgrade#000000c3 query_id:uint64
evaa_update_config#000000e4 query_id:uint64 new_meta:^Cell new_config:^EvaaMasterConfig
evaa_add_new_token#00000a32 query_id:uint64 asset_key:EvaaAssetId new_asset_config:^EvaaAssetConfig
  new_asset_dynamics:^EvaaAssetDynamics
evaa_force_enable#000000e1 query_id:uint64
evaa_force_disable_contract#000000e9 query_id:uint64
evaa_debug_principals_edit_user#00000d21 query_id:uint64 new_principals:(HashmapE 256 EvaaPrincipal)
`
