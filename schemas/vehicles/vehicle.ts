import Type, { type Static } from 'typebox';

/** Source: specification "Vehicle lookup result". */
export const vehicleSchema = Type.Object(
  {
    registrationPlate: Type.String({ description: 'In upper case without spaces' }),
    make: Type.String({ description: 'Brand' }),
    model: Type.String({ description: 'Model name' }),
    year: Type.Integer({ description: 'Model year' }),
    fuelType: Type.String({ description: 'Fuel, in the words of the registry' }),
    color: Type.String({ description: 'Body colour, in the words of the registry' }),
  },
  { $id: 'Vehicle', title: 'Vehicle', description: 'A vehicle as the vehicle registry describes it' },
);
export type VehicleAnswer = Static<typeof vehicleSchema>;
