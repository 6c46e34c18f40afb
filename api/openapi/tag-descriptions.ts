/** The purpose of each group of operations; the linter of the document requires a text for a new tag. */
export const tagDescriptions: Readonly<Record<string, string>> = {
  Items: 'Items of the external system: pushed, read, published and taken down under its own identifiers.',
  Session: 'Sessions of the partner dashboard.',
  'API keys': 'Keys with which external systems push items.',
  Webhooks: 'Endpoints that are told of events by signed requests, and the log of what they were told.',
  'Marketplace connection': 'The account on the marketplace on whose behalf items are published.',
  'Audit log': 'Who did what for whom.',
  Resellers: 'Resellers, their members and their public pages.',
  Categories: 'The 18 domains and their places in the category tree of the marketplace.',
  Vehicles: 'Look-up of vehicles by registration plate.',
  Analytics: 'Inventory and revenue of a partner.',
  Orders: 'What was sold, where and for how much.',
  Subscription: 'The plan of a partner.',
  'Bulk syncs': 'Many items in one stream.',
  Events: 'What happened to items, for those who ask instead of being told.',
  Images: 'The images as the service hosts them.',
  Health: 'For load balancers and supervisors.',
};
