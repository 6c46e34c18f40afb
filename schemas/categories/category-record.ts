import Type, { type Static } from 'typebox';

/** Source: specification "Category record". */
export const categoryRecordSchema = Type.Object(
  {
    slug: Type.String(),
    labelEn: Type.String(),
    labelSv: Type.String(),
    descriptionEn: Type.String(),
    searchFields: Type.Array(
      Type.Object(
        {
          key: Type.String(),
          labelSv: Type.String(),
          labelEn: Type.String(),
          fieldType: Type.String(),
          placeholder: Type.String(),
        },
        { $id: 'CategorySearchField', description: 'A search input of the category beside its text' },
      ),
    ),
  },
  { $id: 'Category' },
);

export const categoryListSchema = Type.Array(categoryRecordSchema, { $id: 'CategoryList' });

export type CategoryRecord = Static<typeof categoryRecordSchema>;
